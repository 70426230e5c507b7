import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHttpApp } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { messagesOf } from '../../../adapters/panel/messages.js';
import {
  callerOf,
  DomainError,
  importKey,
  newCategory,
  newCore,
  OPERATOR,
  parseDeveloperId,
  type AutomationRules,
  type DraftOutcome,
  type Operator,
  type Person,
  type RuleActor,
} from '../../../application/index.js';
import { brokenBy } from '../domain/failure.js';
import { ada, writer } from './people.js';

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const LONG = { ...DRAFT, title: 'Sorts forbidden mail' };
const BROKEN = { field: 'title', code: 'host-rule', detail: 'must not have the word forbidden' };
const CAUSE = new DomainError('not-found', 'no-such-key', 'of the host');

/** What rules get of a key of Ada, and of Olga, an operator, but for the seller. */
const AS_KEY = { kind: 'key', role: 'developer', developerId: 'ada', origin: undefined };
const AS_OPERATOR = { kind: 'operator', role: 'operator', developerId: 'olga', origin: undefined };
const olga: Person = { isSignedIn: true, developerId: parseDeveloperId('olga'), role: 'operator' };

const adaHerself: Person = { ...olga, developerId: ada.developerId, role: 'developer' };

const noForbidden: AutomationRules = async ({ title }) =>
  title.includes('forbidden') ? [{ field: 'title', detail: BROKEN.detail }] : [];

async function open(rules: AutomationRules = noForbidden) {
  const storage = inMemoryStorage();
  await storage.categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  return { core: newCore(storage, { rules }), storage };
}

const exported = (id: number, draft: object) => ({
  ...draft,
  id: `01900000-0000-7000-8000-00000000000${id}`,
  currency: 'USD',
  developerId: 'ada',
  createdAt: '2026-01-31T12:00:00.000Z',
});

const failureOf = async (attempt: Promise<unknown>): Promise<Error> =>
  attempt.then(
    () => expect.fail('nothing failed'),
    (error: unknown) => error as Error,
  );

describe('The rules of a host', () => {
  it('refuse a create and store nothing; a draft that keeps them is stored', async () => {
    const { core, storage } = await open();
    expect(await brokenBy(() => core.marketplace.createAutomation(writer, LONG))).to.deep.equal(['title: host-rule']);
    expect((await core.records.find(OPERATOR)).total).to.equal(0);
    await core.marketplace.createAutomation(writer, DRAFT);
    expect((await core.records.find(OPERATOR)).total).to.equal(1);
    await storage.close();
  });

  it('are reported by a review with their code, after the rules of the market are kept', async () => {
    const { core } = await open();
    expect(await core.marketplace.reviewAutomation(ada, LONG)).to.deep.equal([BROKEN]);
    const both = await core.marketplace.reviewAutomation(ada, { ...LONG, price: -1 });
    expect(both.map(({ code }) => code)).to.deep.equal(['out-of-range']);
  });

  it('get the draft after a revision, which they refuse, and the operator who acts', async () => {
    const asked: unknown[] = [];
    const { core } = await open((draft, by) => {
      asked.push({ draft, by });
      return noForbidden(draft, by);
    });
    const { id } = await core.marketplace.createAutomation(writer, DRAFT);
    const revise = () => core.marketplace.reviseAutomation(OPERATOR, id, { title: LONG.title });
    expect(await brokenBy(revise)).to.deep.equal(['title: host-rule']);
    const none = { url: null, license: null, file: null };
    expect(asked).to.deep.equal([
      {
        draft: { ...DRAFT, ...none },
        by: { ...AS_KEY, developerId: writer.developerId, sellerId: writer.developerId },
      },
      { draft: { ...LONG, ...none }, by: { ...AS_OPERATOR, developerId: undefined, sellerId: writer.developerId } },
    ]);
    expect((await core.records.read(OPERATOR, id)).automation.title).to.equal(DRAFT.title);
  });

  it('get who acts, with the role, for whatever is created, revised, imported and reviewed', async () => {
    const asked: RuleActor[] = [];
    const { core } = await open((_draft, by) => {
      asked.push(by);
      return [];
    });
    const { marketplace, keys, verifier, transfer } = core;
    const callerByKey = async (person: Person) => {
      const { text } = await keys.issue(person, { developer: person.developerId });
      await core.accounts.setRole(OPERATOR, person.developerId, person.role);
      return (await verifier.verify(text)) ?? expect.fail('the key is not valid');
    };
    const [ofAda, ofOlga] = [await callerByKey(adaHerself), await callerByKey(olga)];
    const operator: Operator = { isOperator: true, operatorId: olga.developerId };
    const [key, person, command] = [AS_KEY, { ...AS_KEY, kind: 'person' }, { ...AS_OPERATOR, developerId: undefined }];
    const [offeredByAda, offeredByOlga] = [{ sellerId: 'ada' }, { sellerId: 'olga' }];
    const { id } = await marketplace.createAutomation(callerOf(adaHerself), DRAFT);
    const rows: readonly (readonly [work: () => Promise<unknown>, by: object])[] = [
      [() => marketplace.createAutomation(ofAda, DRAFT), { ...key, ...offeredByAda }],
      [
        () => marketplace.createAutomation(ofOlga, DRAFT),
        { ...key, role: 'operator', developerId: 'olga', ...offeredByOlga },
      ],
      [() => marketplace.createAutomation(callerOf(adaHerself), DRAFT), { ...person, ...offeredByAda }],
      [() => marketplace.createAutomation(callerOf(olga), DRAFT), { ...AS_OPERATOR, ...offeredByOlga }],
      [() => marketplace.reviseAutomation(adaHerself, id, { title: 'A' }), { ...person, ...offeredByAda }],
      [() => marketplace.reviseAutomation(operator, id, { title: 'B' }), { ...AS_OPERATOR, ...offeredByAda }],
      [() => marketplace.reviseAutomation(OPERATOR, id, { title: 'C' }), { ...command, ...offeredByAda }],
      [() => marketplace.reviewAutomation(ofAda, DRAFT), { ...key, ...offeredByAda }],
      [() => marketplace.reviewAutomation(olga, DRAFT), { ...AS_OPERATOR, ...offeredByOlga }],
      [() => marketplace.reviewAutomation(operator, DRAFT, ada.developerId), { ...AS_OPERATOR, ...offeredByAda }],
      [() => marketplace.reviewAutomation(OPERATOR, DRAFT), { ...command, sellerId: undefined }],
      [
        () =>
          transfer.import(operator, { developer: 'ada' }, (session) =>
            session.createBatch([{ draft: DRAFT, key: importKey('one', 1) }]),
          ),
        { ...AS_OPERATOR, ...offeredByAda },
      ],
      [
        () => transfer.import(OPERATOR, { developer: 'ada' }, (session) => session.review(DRAFT)),
        { ...command, ...offeredByAda },
      ],
      [
        () => transfer.import(OPERATOR, {}, (session) => session.importBatch([exported(1, DRAFT)])),
        { ...command, ...offeredByAda },
      ],
    ];
    for (const [work, by] of rows) {
      asked.length = 0;
      await work();
      expect(asked, String(work)).to.deep.equal([{ ...by, origin: undefined }]);
    }
  });

  it('refuse single automations of an import, drafts and exported ones', async () => {
    const { core } = await open();
    const outcomes: DraftOutcome[] = [];
    await core.transfer.import(OPERATOR, { developer: 'ada' }, async (session) => {
      outcomes.push(...(await session.createBatch([{ draft: LONG, key: importKey('one', 1) }])));
      outcomes.push(...(await session.importBatch([exported(1, LONG), exported(2, DRAFT)])));
      expect(await session.review(LONG)).to.deep.equal([BROKEN]);
    });
    const codes = outcomes.map((one) => (one.outcome === 'refused' ? one.error.fields[0]?.code : one.outcome));
    expect(codes).to.deep.equal(['host-rule', 'host-rule', 'stored']);
  });

  it('stand next to the field in a form', () => {
    const wordings = { title: { label: 'Title' } };
    expect(messagesOf([{ ...BROKEN, code: 'host-rule' }], wordings)).to.deep.equal({
      title: `Title ${BROKEN.detail}.`,
    });
  });

  const FAULTS: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw CAUSE;
    },
    rejects: () => Promise.reject(CAUSE),
    'returns nothing': () => undefined,
    'returns a text': () => 'no',
    'returns texts': () => ['title'],
    'names an unknown field': () => [{ field: 'colour', detail: 'must be red' }],
    'returns an error without a detail': () => [{ field: 'title', detail: ' ' }],
  };
  for (const [title, fault] of Object.entries(FAULTS))
    it(`that ${title}: a create, a revision and an import fail, and nothing is stored`, async () => {
      let isFaulty = false;
      const { core } = await open((() => (isFaulty ? fault() : [])) as unknown as AutomationRules);
      const { id } = await core.marketplace.createAutomation(writer, DRAFT);
      isFaulty = true;
      const failures = await Promise.all(
        [
          core.marketplace.createAutomation(writer, LONG),
          core.marketplace.reviewAutomation(ada, LONG),
          core.marketplace.reviseAutomation(OPERATOR, id, LONG),
          core.transfer.import(OPERATOR, {}, (session) => session.importBatch([exported(3, DRAFT)])),
        ].map(failureOf),
      );
      for (const failure of failures) {
        expect(failure).to.not.be.instanceOf(DomainError);
        expect(failure.message).to.match(/^the rules of the host .*nothing was stored$/);
      }
      if (title === 'throws' || title === 'rejects') expect(failures.map(({ cause }) => cause)).to.include(CAUSE);
      const { items } = await core.records.find(OPERATOR);
      expect(items.map(({ automation }) => automation.title)).to.deep.equal([DRAFT.title]);
    });

  it('are reported as errors of the body, and their failure as 500 with the cause in the log', async () => {
    let rules = noForbidden;
    const { core } = await open((draft, by) => rules(draft, by));
    const logged: unknown[] = [];
    const onError = (error: unknown) => logged.push((error as Error).cause);
    const app = createHttpApp(core.marketplace, { verifier: { verify: async () => writer }, onError });
    const handle = app.callback();
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { categoryId, ...rest } = LONG;
    const create = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/automations`, {
        method: 'POST',
        headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...rest, category_id: categoryId }),
      });
      return { status: response.status, body: (await response.json()) as { errors?: unknown } };
    };
    const refused = await create();
    rules = () => Promise.reject(CAUSE);
    const failed = await create();
    server.close();
    const { field, ...error } = BROKEN;
    expect(refused.status).to.equal(422);
    expect(refused.body.errors).to.deep.equal([{ pointer: `/${field}`, ...error }]);
    expect(failed.status).to.equal(500);
    expect(logged).to.deep.equal([CAUSE]);
  });
});
