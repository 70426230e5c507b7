import { randomUUID } from 'node:crypto';
import type { Api } from './api.js';
import { check, jsonOf, must, problemOf, same, Skipped, type Check, type Group } from './check.js';
import { automationOf, categories, list } from './shapes.js';

interface Draft {
  readonly title: string;
  readonly description: string;
  readonly price: number;
  readonly category_id: string;
}

const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
];
const JSON_HEADERS = { 'Content-Type': 'application/json' };

async function draftFor(api: Api): Promise<Draft> {
  const [category] = await categories(api);
  if (category === undefined) throw new Skipped('there is no category');
  const description = 'Created by a conformance check; it may be withdrawn.';
  return { title: 'Conformance check', description, price: 9.99, category_id: category.id };
}

/** Runs work that must store nothing, and checks that. */
async function storingNothing(api: Api, work: () => Promise<void>): Promise<void> {
  const before = await list(api, '?limit=1');
  await work();
  const after = await list(api, '?limit=1');
  same(after.total, before.total, after.reply, 'total after rejected requests');
}

/** A wrong member, and the pointer that the response must name. */
const WRONG: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ title: undefined }, '/title'],
  [{ title: '' }, '/title'],
  [{ title: '   ' }, '/title'],
  [{ title: 'a\nb' }, '/title'],
  [{ title: 'a'.repeat(201) }, '/title'],
  [{ title: 7 }, '/title'],
  [{ title: 'a\u0000b' }, '/title'],
  [{ title: 'a\u202Eb' }, '/title'],
  [{ title: '\u200B' }, '/title'],
  [{ description: undefined }, '/description'],
  [{ description: 'a'.repeat(10_001) }, '/description'],
  [{ description: 'a\r\nb' }, '/description'],
  [{ price: '9.99' }, '/price'],
  [{ price: -1 }, '/price'],
  [{ price: 9.999 }, '/price'],
  [{ price: 100_000_000 }, '/price'],
  [{ price: null }, '/price'],
  [{ price: undefined }, '/price'],
  [{ category_id: 'no-such-category-anywhere' }, '/category_id'],
  [{ category_id: undefined }, '/category_id'],
  [{ currency: 'USD' }, '/currency'],
  [{ id: randomUUID() }, '/id'],
  [{ unknown: 1 }, '/unknown'],
];

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
    must(reply.text.includes('"price":0,'), reply, '-0 is not 0');
  }),
];

const refusing: readonly Check[] = [
  check('a wrong member is 422 with its pointer, and stores nothing', async (api) => {
    const draft = await draftFor(api);
    await storingNothing(api, async () => {
      for (const [change, pointer] of WRONG) {
        const reply = await api.create({ ...draft, ...change });
        const named = problemOf(reply, 422, 'validation-error').errors.map((error) => error.pointer);
        must(
          named.includes(pointer),
          reply,
          `errors does not name ${pointer} for ${JSON.stringify(change).slice(0, 60)}`,
        );
      }
    });
  }),
  check('every mistake of a body is listed at once', async (api) => {
    const reply = await api.create({ price: 'free' });
    const named = problemOf(reply, 422, 'validation-error').errors.map((error) => error.pointer);
    same([...named].sort(), ['/category_id', '/description', '/price', '/title'], reply, 'the pointers in errors');
  }),
  check('a body that is not JSON in UTF-8 is 400 malformed-json', async (api) => {
    const bodies = ['', '{', '{"title":}', "{'title':1}", '\uFEFF{}', Uint8Array.of(0x22, 0xff, 0x22), '{"a":1}{'];
    await storingNothing(api, async () => {
      for (const body of bodies) problemOf(await api.send(body, JSON_HEADERS), 400, 'malformed-json');
    });
  }),
  check('a body of another type or encoding is 415', async (api) => {
    const body = JSON.stringify(await draftFor(api));
    await storingNothing(api, async () => {
      for (const type of OTHER_TYPES)
        problemOf(await api.send(body, { 'Content-Type': type }), 415, 'unsupported-media-type');
      problemOf(
        await api.send(body, { ...JSON_HEADERS, 'Content-Encoding': 'gzip' }),
        415,
        'unsupported-content-encoding',
      );
    });
  }),
  check('a body over 64 KiB is 413', async (api) => {
    const body = JSON.stringify(await draftFor(api));
    await storingNothing(api, async () => {
      problemOf(await api.send(body.padEnd(64 * 1024 + 1), JSON_HEADERS), 413, 'payload-too-large');
    });
  }),
  check('a key that may only read is 403 before its body is read', async (api) => {
    const reply = await api.ask('/automations', { method: 'POST', headers: JSON_HEADERS, body: '{' });
    if (reply.status === 400) throw new Skipped('the key of --key may create, too');
    problemOf(reply, 403, 'insufficient-scope');
    must(
      /error="insufficient_scope".*scope="automations:write"/.test(reply.headers.get('WWW-Authenticate') ?? ''),
      reply,
      'the challenge does not name automations:write',
    );
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
          [reply.status, reply.text, reply.headers.get('Idempotent-Replayed')],
          [201, first.text, 'true'],
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
      problemOf(await api.create({ ...draft, price: 1 }, key), 422, 'idempotency-key-reused');
    });
  }),
  check('of concurrent creates with the same key one is stored', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.create(draft, key)));
    const stored = new Set(replies.filter(({ status }) => status === 201).map((reply) => automationOf(reply, 201).id));
    same(stored.size, 1, { request: 'POST /automations' }, 'the number of automations');
    for (const reply of replies) if (reply.status !== 201) problemOf(reply, 409, 'conflict');
  }),
  check('a malformed Idempotency-Key is 400', async (api) => {
    const draft = await draftFor(api);
    for (const field of ['a b', 'k'.repeat(256), '"', 'a"b', 'a\\b'])
      problemOf(await api.create(draft, { 'Idempotency-Key': field }), 400, 'idempotency-key-invalid');
  }),
  check('a rejected create does not use up its key', async (api) => {
    const draft = await draftFor(api);
    const key = { 'Idempotency-Key': randomUUID() };
    problemOf(await api.create({ ...draft, price: -1 }, key), 422, 'validation-error');
    automationOf(await api.create(draft, key), 201);
  }),
];

export const creates: Group = { name: 'Creates', writes: true, checks: [...storing, ...refusing, ...repeating] };
