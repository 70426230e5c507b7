import { expect } from 'chai';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore } from '../../../application/core.js';
import { OPERATOR, type Operator } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import type { UncheckedDraft } from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { importKey } from '../../../domain/idempotency.js';
import type { Storage } from '../../../domain/ports.js';
import { MAX_OPEN_REPORTS } from '../../../domain/report.js';
import { EXPORTED } from '../../integration/file-inspection/workflow.js';
import { signedIn } from '../../support/signed-in.js';
import { wrapped } from '../../support/repositories.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob } from './people.js';

const ORIGIN = { address: '192.0.2.1', requestId: 'request-1' };
const VISITOR = { isVisitor: true, origin: ORIGIN } as const;
const EVE: Operator = { isOperator: true, operatorId: bob.developerId };
const SENT = { name: 'notify.json', bytes: Buffer.from(JSON.stringify(EXPORTED)) };
const DRAFT = { title: 'Notifies', description: 'Of each order.', price: 0, categoryId: 'tools', file: SENT };
const UNKNOWN = '01900000-0000-7000-8000-000000000009';

async function open(storage: Storage = inMemoryStorage()) {
  await storage.categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const core = newCore(storage, { fileInspector: new TableFileInspector() });
  const { marketplace, audit, reports = expect.fail() } = core;
  const create = (draft: UncheckedDraft = {}) => marketplace.createAutomationOnce(ada, { ...DRAFT, ...draft });
  const { automation } = await create();
  const { id, file } = automation;
  const history = async () => (await audit.list(OPERATOR)).items;
  const found = async () => (await reports.read(OPERATOR, id)).items;
  return { ...core, reports, storage, create, automation, id, sha256: file?.sha256 ?? '', history, found };
}

const told = ({ action, actor, developerId, operatorId, subject, address }: AuditEntry) => ({
  ...{ action, actor, developerId, operatorId, subject, address },
});

describe('Reports', () => {
  it('of a person and of a visitor are stored, with an entry that has neither text nor address', async () => {
    const { reports, id, found, history } = await open();
    const person = { ...signedIn(bob), origin: ORIGIN };
    expect(await reports.report(person, id.toUpperCase(), { kind: 'dangerous', text: ' It\nsteals. ' })).to.equal(
      'stored',
    );
    expect(await reports.report(VISITOR, id, { kind: 'other' })).to.equal('stored');
    const [latest, first] = await found();
    expect(first).to.include({ kind: 'dangerous', text: 'It\nsteals.', developerId: 'bob', address: '192.0.2.1' });
    expect(latest).to.include({ kind: 'other', text: '', address: '192.0.2.1' }).and.not.have.property('developerId');
    const [ofVisitor, ofPerson] = await history();
    const entry = { action: 'automation-reported', operatorId: undefined, subject: id, address: undefined } as const;
    expect(told(ofVisitor ?? expect.fail())).to.deep.equal({ ...entry, actor: 'anonymous', developerId: undefined });
    expect(told(ofPerson ?? expect.fail())).to.deep.equal({ ...entry, actor: 'developer', developerId: 'bob' });
    expect(ofPerson?.requestId).to.equal('request-1');
    expect(JSON.stringify([ofVisitor, ofPerson])).not.to.include('steals');
  });

  it('repeat nothing of one account, and have an end', async () => {
    const { reports, id, found } = await open();
    await reports.report(signedIn(bob), id, { kind: 'other' });
    expect(await reports.report(signedIn(bob), id, { kind: 'dangerous' })).to.equal('repeated');
    for (let n = 1; n < MAX_OPEN_REPORTS; n += 1) await reports.report(VISITOR, id, { kind: 'other' });
    expect(await reports.report(VISITOR, id, { kind: 'dangerous' })).to.equal('full');
    expect(new Set((await found()).map(({ kind }) => kind))).to.deep.equal(new Set(['other']));
  });

  it('are refused with every broken rule, and of what is not on sale', async () => {
    const { reports, id, marketplace } = await open();
    const report = (content: object, of = id as string) => reports.report(VISITOR, of, content);
    expect(await brokenBy(() => report({ kind: 'rude', text: 'x'.repeat(1_001) }))).to.deep.equal([
      'kind: unknown-value',
      'text: too-long',
    ]);
    expect(await brokenBy(() => report({}))).to.deep.equal(['kind: unknown-value']);
    expect(await brokenBy(() => report({ kind: 'other', text: 'a\u0000b' }))).to.deep.equal(['text: invalid-text']);
    expect(await report({ kind: 'other', text: '🦄'.repeat(1_000) })).to.equal('stored');
    for (const other of [UNKNOWN, 'x', ''])
      expect((await failureOf(() => report({ kind: 'other' }, other))).code).to.equal('no-such-automation');
    await marketplace.withdrawAutomation(signedIn(ada), id);
    expect((await failureOf(() => report({ kind: 'other' }))).code).to.equal('no-such-automation');
  });

  it('are listed by automation, in pages', async () => {
    const { reports, create, id } = await open();
    const { automation: other } = await create({ title: 'Other' });
    for (const kind of ['dangerous', 'other', 'other']) await reports.report(VISITOR, id, { kind });
    await reports.report(VISITOR, other.id, { kind: 'misleading' });
    const first = await reports.list(OPERATOR, { limit: 1 });
    expect(first.items.map(({ archived, count, kinds }) => [archived?.automation.title, count, kinds])).to.deep.equal([
      ['Other', 1, ['misleading']],
    ]);
    const { items, next } = await reports.list(OPERATOR, { limit: 1, before: first.next });
    expect([items[0]?.id, items[0]?.count, items[0]?.kinds, next]).to.deep.equal([
      id,
      3,
      ['dangerous', 'other'],
      undefined,
    ]);
    const { items: part, next: rest } = await reports.read(OPERATOR, id, { limit: 2 });
    expect([part.length, (await reports.read(OPERATOR, id, { before: rest })).items.length]).to.deep.equal([2, 1]);
    expect((await failureOf(() => reports.read(OPERATOR, UNKNOWN))).code).to.equal('no-such-automation');
  });

  it('that are dismissed are closed, with an entry of the operator, and the automation stays', async () => {
    const { reports, id, found, history, catalogue } = await open();
    await reports.report(VISITOR, id, { kind: 'other' });
    await reports.dismiss(EVE, id);
    expect((await found())[0]).to.include({ decision: 'dismissed' });
    expect((await reports.list(OPERATOR)).items).to.deep.equal([]);
    expect(await history()).to.have.nested.property('[0].action', 'reports-dismissed');
    expect((await history())[0])
      .to.include({ operatorId: 'bob', subject: id })
      .and.not.have.property('developerId');
    expect((await catalogue.read(id))?.withdrawn).to.equal(undefined);
    for (const again of [id, UNKNOWN, 'x'])
      expect((await failureOf(() => reports.dismiss(EVE, again))).code).to.equal('no-such-report');
  });

  it('that are upheld withdraw the automation with the reason, which its developer reads', async () => {
    const { reports, records, audit, id, found, history } = await open();
    await reports.report({ ...signedIn(bob), origin: ORIGIN }, id, { kind: 'other', text: 'Bad.' });
    expect(await brokenBy(() => reports.uphold(EVE, id, { reason: ' ' }))).to.deep.equal(['reason: too-short']);
    expect((await found())[0]).not.to.have.property('closedAt');
    await reports.uphold(EVE, id, { reason: 'It is not yours.' });
    expect((await found())[0]).to.include({ decision: 'withdrawn' });
    const seen = await records.read(signedIn(ada), id);
    expect(seen.withdrawn).to.include({ by: 'operator', reason: 'It is not yours.' });
    expect((await history()).map(({ action }) => action).slice(0, 2)).to.deep.equal([
      'reports-upheld',
      'automation-withdrawn',
    ]);
    const own = await audit.list(signedIn(ada));
    expect(own.items.map(({ action }) => action)).to.deep.equal(['automation-withdrawn', 'automation-published']);
    expect(JSON.stringify([own, seen])).not.to.match(/bob|192\.0\.2|Bad/);
  });

  it('that another operator has closed withdraw nothing any more', async () => {
    const { reports, id, catalogue } = await open();
    await reports.report(VISITOR, id, { kind: 'other' });
    await reports.dismiss(EVE, id);
    for (const one of [id, UNKNOWN, 'x'])
      expect((await failureOf(() => reports.uphold(EVE, one, { reason: 'Bad.' }))).code).to.equal('no-such-report');
    expect((await catalogue.read(id))?.withdrawn).to.equal(undefined);
  });

  it('of what its developer withdrew in time can be upheld, too', async () => {
    const { reports, marketplace, id, sha256, create } = await open();
    await reports.report(VISITOR, id, { kind: 'dangerous' });
    await marketplace.withdrawAutomation(signedIn(ada), id);
    await reports.uphold(OPERATOR, id, { reason: 'A trap.', refusedFile: sha256 });
    expect(await brokenBy(() => create())).to.deep.equal(['file: refused-file']);
  });
});

describe('A file that is refused for everyone', () => {
  /** Returns a market in which a second automation has a file that was refused. */
  async function openWithRefused() {
    const market = await open();
    const { automation: second } = await market.create({ title: 'The same' });
    await market.reports.report(VISITOR, market.id, { kind: 'dangerous' });
    await market.reports.uphold(EVE, market.id, { reason: 'A trap.', refusedFile: market.sha256 });
    return { ...market, second };
  }

  it('comes back by no create, revision or import, and the history names it', async () => {
    const { create, marketplace, transfer, history } = await openWithRefused();
    expect((await history())[0]).to.include({ action: 'file-refused', operatorId: 'bob' });
    const { fields } = await failureOf(() => create());
    expect(fields.map(({ field, code, detail }) => [field, code, detail])).to.deep.equal([
      ['file', 'refused-file', 'must be another one, since an operator has refused it for everyone'],
    ]);
    const { automation } = await create({ file: { name: 'other.txt', bytes: Buffer.from('Other') } });
    const revising = () => marketplace.reviseAutomation(signedIn(ada), automation.id, { file: SENT });
    expect(await brokenBy(revising)).to.deep.equal(['file: refused-file']);
    expect(await marketplace.reviewAutomation(ada, DRAFT)).to.deep.equal(fields);
    const outcomes: string[] = [];
    await transfer.import(OPERATOR, { developer: 'ada' }, async (session) => {
      const [drafted] = await session.createBatch([{ draft: DRAFT, key: importKey('x', 1) }]);
      outcomes.push(drafted?.outcome ?? '');
    });
    const exported = {
      ...DRAFT,
      id: UNKNOWN,
      currency: 'USD',
      developerId: 'ada',
      createdAt: '2026-01-31T12:00:00.007Z',
    };
    await transfer.import(OPERATOR, {}, async (session) => {
      outcomes.push((await session.importBatch([exported]))[0]?.outcome ?? '');
    });
    expect(outcomes).to.deep.equal(['refused', 'refused']);
  });

  it('is known by what is stored: sent with other details that are removed it is refused, too', async () => {
    const { create } = await openWithRefused();
    const bytes = Buffer.from(JSON.stringify({ ...EXPORTED, id: 'another', versionId: 'another' }));
    expect(await brokenBy(() => create({ file: { name: 'other.json', bytes } }))).to.deep.equal(['file: refused-file']);
  });

  it('is handed out by no automation, and others are', async () => {
    const { catalogue, marketplace, second, create } = await openWithRefused();
    expect(await catalogue.readFile(second)).to.equal(undefined);
    expect(await marketplace.readFile(ada, second)).to.equal(undefined);
    expect(await catalogue.isFileRefused(second)).to.equal(true);
    const { automation } = await create({ file: { name: 'other.txt', bytes: Buffer.from('Other') } });
    expect(Buffer.from((await catalogue.readFile(automation)) ?? []).toString()).to.equal('Other');
  });

  it('is not refused by a text that is no SHA-256', async () => {
    const { reports, id, sha256, found } = await open();
    await reports.report(VISITOR, id, { kind: 'dangerous' });
    for (const refusedFile of ['', 'x', sha256.slice(1), sha256.toUpperCase()])
      expect(await brokenBy(() => reports.uphold(EVE, id, { reason: 'A trap.', refusedFile }))).to.deep.equal([
        'file: invalid-format',
      ]);
    expect((await found())[0]).not.to.have.property('closedAt');
  });

  it('is asked for once by a create with a file and by a download, and by nothing else', async () => {
    const asked: string[] = [];
    const storage = wrapped(inMemoryStorage(), (port, name) => {
      if (name !== 'reports') return port;
      return new Proxy(port, {
        get: (target, method) => {
          const member: unknown = Reflect.get(target, method);
          if (typeof member !== 'function') return member;
          return (...values: unknown[]) => {
            asked.push(String(method));
            return Reflect.apply(member, target, values) as unknown;
          };
        },
      });
    });
    const { catalogue, marketplace, create, automation } = await open(storage);
    expect(asked).to.deep.equal(['isRefused']);
    await catalogue.readFile(automation);
    expect(asked).to.deep.equal(['isRefused', 'isRefused']);
    await create({ file: null });
    await marketplace.listAutomations(ada);
    await marketplace.readAutomation(ada, automation.id);
    await catalogue.read(automation.id);
    await catalogue.find({});
    await marketplace.reviseAutomation(signedIn(ada), automation.id, { title: 'New' });
    expect(asked).to.have.length(2);
  });
});

it('A host without reports has everything else', async () => {
  const { reports: _without, ...storage } = inMemoryStorage();
  await storage.categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const core = newCore(storage, { fileInspector: new TableFileInspector() });
  expect(core.reports).to.equal(undefined);
  const { automation } = await core.marketplace.createAutomationOnce(ada, DRAFT);
  expect(await core.catalogue.readFile(automation)).not.to.equal(undefined);
  await core.maintenance.sweep(OPERATOR);
});
