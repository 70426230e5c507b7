import { randomUUID } from 'node:crypto';
import type { CreateAutomation } from '../client/index.js';
import type { Api } from './api.js';
import { check, jsonOf, must, mustBeProblem, same, Skipped, type Check, type Group } from './check.js';
import { DRAFT } from './rows/row.js';
import { automationOf, categories, list } from './shapes.js';

const JSON_HEADERS = { 'Content-Type': 'application/json' };

async function draftFor(api: Api): Promise<CreateAutomation> {
  const [category] = await categories(api);
  if (category === undefined) throw new Skipped('there is no category');
  return { ...DRAFT, category_id: category.id };
}

/** Runs work that must store nothing, and checks that. */
async function storingNothing(api: Api, work: () => Promise<void>): Promise<void> {
  const before = await list(api, '?limit=1');
  await work();
  const after = await list(api, '?limit=1');
  same(after.total, before.total, after.reply, 'total after rejected requests');
}

const storing: readonly Check[] = [
  check('a create is 201 with Location and the automation, which is read and listed at once', async (api) => {
    const draft = await draftFor(api);
    const before = await list(api, '?limit=1');
    const reply = await api.create(draft);
    const created = automationOf(reply, 201);
    const { title, price, category_id } = created;
    same(
      { title, price, category_id },
      { title: draft.title, price: draft.price, category_id: draft.category_id },
      reply,
      'the automation',
    );
    const location = new URL(reply.headers.get('Location') ?? '', api.baseUrl).href;
    must(location.endsWith(`/automations/${created.id}`), reply, `Location is ${location}`);
    same(created.updated_at, created.created_at, reply, 'updated_at of a new automation');
    same(automationOf(await api.ask(`/automations/${created.id}`)), created, reply, 'the automation at its address');
    const after = await list(api, '?limit=100');
    must(
      after.data.some(({ id }) => id === created.id),
      after.reply,
      'the new automation is not on the first page',
    );
    must(after.total > before.total, after.reply, 'total has not grown');
  }),
  check('texts come back as they were sent, trimmed at both ends', async (api) => {
    const draft = await draftFor(api);
    for (const title of ['👩‍👩‍👧‍👦 e\u0301 é', 'مرحبا שלום', '<b>&"\'</b> $ne {{x}}', '𝒳'.repeat(200)]) {
      const reply = await api.create({ ...draft, title: `  ${title}\t`, description: `\n${title}\n\tsecond line ` });
      const { title: kept, description } = jsonOf(reply, 201);
      same([kept, description], [title, `${title}\n\tsecond line`], reply, 'title and description');
    }
  }),
  check('url and license come back as they were sent, and are null when they were not', async (api) => {
    const draft = await draftFor(api);
    const url = 'https://a.example/?b=c&d=%20#e';
    for (const [sent, kept] of [
      [{ url, license: ' MIT ' }, [url, 'MIT']],
      [{}, [null, null]],
      [{ url: null, license: '' }, [null, null]],
    ] as const) {
      const reply = await api.create({ ...draft, ...sent });
      const { url: keptUrl, license } = automationOf(reply, 201);
      same([keptUrl, license], kept, reply, 'url and license');
    }
  }),
  check('prices come back as they were sent', async (api) => {
    const draft = await draftFor(api);
    for (const price of [0, 0.07, 1.1, 19.99, 1_234.56, 99_999_999.99])
      same(
        automationOf(await api.create({ ...draft, price }), 201).price,
        price,
        { request: 'POST /automations' },
        'the price',
      );
    const reply = await api.send(JSON.stringify(draft).replace('9.99', '-0.0'), JSON_HEADERS);
    must(reply.body.includes('"price":0,'), reply, '-0 is not 0');
  }),
];

const refusing: readonly Check[] = [
  check('a create that is refused stores nothing', async (api) => {
    const draft = await draftFor(api);
    const whole = JSON.stringify(draft);
    const json = JSON_HEADERS['Content-Type'];
    await storingNothing(api, async () => {
      for (const [body, type] of [
        [JSON.stringify({ ...draft, price: -1 }), json],
        [JSON.stringify({ ...draft, unknown: 1 }), json],
        [whole.slice(0, -1), json],
        [whole, 'text/plain'],
        [whole.padEnd(64 * 1024 + 1), json],
      ] as const)
        must((await api.send(body, { 'Content-Type': type })).status >= 400, { request: 'POST' }, 'it is not refused');
    });
  }),
];

const repeating: readonly Check[] = [
  check('the same create with the same Idempotency-Key returns the first automation again', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await api.create(draft, key);
    must(!first.headers.has('Idempotent-Replayed'), first, 'Idempotent-Replayed is on the first response');
    const { title, description, price, category_id } = draft;
    const again = [draft, { category_id, price, description, title }].map((body) => JSON.stringify(body, null, 2));
    await storingNothing(api, async () => {
      for (const [index, field] of [key['Idempotency-Key'], `"${key['Idempotency-Key']}"`].entries()) {
        const reply = await api.send(again[index] ?? '', { ...JSON_HEADERS, 'Idempotency-Key': field });
        same(
          [reply.status, reply.body, reply.headers.get('Idempotent-Replayed')],
          [201, first.body, 'true'],
          reply,
          'the response to a repeated create',
        );
      }
    });
  }),
  check('other content with the same key is 422 idempotency-key-reused', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    automationOf(await api.create(draft, key), 201);
    await storingNothing(api, async () => {
      mustBeProblem(await api.create({ ...draft, price: 1 }, key), 422, 'idempotency-key-reused');
    });
  }),
  check('of concurrent creates with the same key one is stored', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.create(draft, key)));
    const stored = new Set(replies.filter(({ status }) => status === 201).map((reply) => automationOf(reply, 201).id));
    same(stored.size, 1, { request: 'POST /automations' }, 'the number of automations');
    for (const reply of replies) if (reply.status !== 201) mustBeProblem(reply, 409, 'conflict');
  }),
  check('a rejected create does not use up its key', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    mustBeProblem(await api.create({ ...draft, price: -1 }, key), 422, 'validation-error');
    automationOf(await api.create(draft, key), 201);
  }),
];

export const creates: Group = { name: 'Creates', writes: true, checks: [...storing, ...refusing, ...repeating] };
