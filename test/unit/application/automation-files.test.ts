import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { newCore } from '../../../application/core.js';
import { OPERATOR } from '../../../domain/access.js';
import type { UncheckedDraft } from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { importKey, requestKey } from '../../../domain/idempotency.js';
import { EXPORTED, inspect } from '../../integration/file-inspection/workflow.js';
import { SECRETS } from '../../integration/file-inspection/secrets.js';
import { signedIn } from '../../support/signed-in.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob } from './people.js';

const KEY = requestKey('once');
const SENT = { name: 'notify.json', bytes: Buffer.from(JSON.stringify(EXPORTED)) };
const PLAIN = { name: 'readme.txt', bytes: Buffer.from('How to start it') };
const LEAKING = { name: 'readme.txt', bytes: Buffer.from(SECRETS[1]?.secret ?? '') };
const DRAFT = { title: 'Notifies', description: 'Of each order.', price: 0, categoryId: 'tools', file: SENT };

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** A marketplace that takes files. */
async function open({ takesFiles = true } = {}) {
  const storage = inMemoryStorage();
  await storage.categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const core = newCore(storage, takesFiles ? { fileInspector: new TableFileInspector() } : {});
  const create = (draft: UncheckedDraft = {}, key = KEY) =>
    core.marketplace.createAutomationOnce(ada, { ...DRAFT, ...draft }, key);
  const revise = (id: string, changes: UncheckedDraft) => core.marketplace.reviseAutomation(signedIn(ada), id, changes);
  return { ...core, ...storage, core, create, revise };
}

describe('an automation with a file', () => {
  it('has what is left of it, and the result says what was removed', async () => {
    const { create, automations } = await open();
    const { content, removed, facts } = await inspect(JSON.stringify(EXPORTED));
    const created = await create();
    expect(created.removed).to.deep.equal(removed);
    expect(created.removed).to.deep.include({ kind: 'pinned-data', count: 1 });
    const { length: size } = content;
    expect(created.automation.file).to.deep.equal({
      ...{ name: 'notify.json', size, sha256: sha256(content), platform: 'n8n', facts },
    });
    const stored = await automations.readFile(created.automation.id);
    expect(Buffer.from(stored ?? [])).to.deep.equal(Buffer.from(content));
    expect(await automations.find(created.automation.id)).to.deep.equal(created.automation);
  });

  it('of no platform is stored as it came', async () => {
    const { create, automations } = await open();
    const { automation, removed } = await create({ file: PLAIN });
    expect(removed).to.deep.equal([]);
    expect(automation.file).to.deep.equal({ name: 'readme.txt', size: 15, sha256: sha256(PLAIN.bytes) });
    expect(Buffer.from((await automations.readFile(automation.id)) ?? [])).to.deep.equal(PLAIN.bytes);
  });

  it('is refused with a secret, without its value, and with a price', async () => {
    const { create, marketplace } = await open();
    const { fields } = await failureOf(() => create({ file: LEAKING }));
    expect(fields.map(({ field, code }) => `${field}: ${code}`)).to.deep.equal(['file: contains-secret']);
    expect(JSON.stringify(fields)).not.to.include(LEAKING.bytes.toString());
    expect(await brokenBy(() => create({ price: 1 }))).to.deep.equal(['file: not-free']);
    expect((await marketplace.listAutomations(ada)).total).to.equal(0);
    const reviewed = await marketplace.reviewAutomation(ada, { ...DRAFT, file: LEAKING });
    expect(reviewed).to.deep.equal(fields);
  });

  it('is refused where nothing inspects it, while others are created', async () => {
    const { create } = await open({ takesFiles: false });
    const { fields } = await failureOf(() => create());
    expect(fields.map(({ detail }) => detail)).to.deep.equal([
      'must be missing, since this marketplace takes no files',
    ]);
    expect((await create({ file: null })).automation.file).to.equal(null);
  });

  it('is created once by the same name and bytes, as they were sent', async () => {
    const { create, automations } = await open();
    const first = await create();
    expect(await create()).to.deep.equal({ ...first, replayed: true });
    const cleaned = (await automations.readFile(first.automation.id)) ?? new Uint8Array();
    for (const file of [PLAIN, null, { ...SENT, name: 'other.json' }, { ...SENT, bytes: cleaned }])
      expect((await failureOf(() => create({ file }))).code).to.equal('idempotency-key-reused');
  });

  it('comes in an import of drafts, once', async () => {
    const { transfer, automations, marketplace } = await open();
    const drafts = [SENT, LEAKING, PLAIN].map((file, n) => ({ draft: { ...DRAFT, file }, key: importKey('x', n + 1) }));
    const outcomes = async () => {
      const found: string[] = [];
      await transfer.import(OPERATOR, { developer: 'ada' }, async (session) => {
        for (const { outcome } of await session.createBatch(drafts)) found.push(outcome);
      });
      return found;
    };
    expect(await outcomes()).to.deep.equal(['stored', 'refused', 'stored']);
    expect(await outcomes()).to.deep.equal(['already-there', 'refused', 'already-there']);
    const { items } = await marketplace.listAutomations(ada);
    expect(items).to.have.length(2);
    for (const { id } of items) expect(await automations.readFile(id)).not.to.equal(undefined);
  });

  it('comes from another store with its id, once, and is another with another file', async () => {
    const { transfer, automations } = await open();
    const id = '01900000-0000-7000-8000-00000000000f';
    const exported = { ...DRAFT, id, currency: 'USD', developerId: 'ada', createdAt: '2026-01-31T12:00:00.007Z' };
    const outcomeOf = async (file: unknown) => {
      let found: string | undefined;
      await transfer.import(OPERATOR, {}, async (session) => {
        found = (await session.importBatch([{ ...exported, file }]))[0]?.outcome;
      });
      return found;
    };
    expect(await outcomeOf(PLAIN)).to.equal('stored');
    expect(await outcomeOf(PLAIN)).to.equal('already-there');
    expect(await outcomeOf(SENT)).to.equal('refused');
    expect(Buffer.from((await automations.readFile(id as never)) ?? [])).to.deep.equal(PLAIN.bytes);
  });
});

describe('a revision', () => {
  it('replaces, keeps and removes the file', async () => {
    const { create, revise, automations } = await open();
    const { id } = (await create({ file: PLAIN })).automation;
    const replaced = await revise(id, { file: SENT });
    expect(replaced.changed).to.deep.equal(['file']);
    expect(replaced.removed).to.deep.include({ kind: 'pinned-data', count: 1 });
    expect((await automations.readFile(id))?.length).to.equal(replaced.automation.file?.size);
    expect((await revise(id, { title: 'Other' })).changed).to.deep.equal(['title']);
    expect((await automations.readFile(id))?.length).to.equal(replaced.automation.file?.size);
    const removed = await revise(id, { file: null, price: 1 });
    expect(removed.changed).to.deep.equal(['price', 'file']);
    expect(await automations.readFile(id)).to.equal(undefined);
  });

  it('with the same file changes nothing, although something is removed from it', async () => {
    const { create, revise } = await open();
    const { automation } = await create();
    expect((await revise(automation.id, { file: SENT })).changed).to.deep.equal([]);
  });

  it('that gives the file another name keeps its bytes', async () => {
    const { create, revise, automations } = await open();
    const { automation } = await create();
    const renamed = await revise(automation.id, { file: { ...SENT, name: 'other.json' } });
    expect(renamed.changed).to.deep.equal(['file']);
    expect((await automations.readFile(automation.id))?.length).to.equal(automation.file?.size);
  });

  it('raises no price of one that keeps its file, and takes no secret', async () => {
    const { create, revise, marketplace, automations } = await open();
    const { automation } = await create();
    expect(await brokenBy(() => revise(automation.id, { price: 1 }))).to.deep.equal(['file: not-free']);
    expect(await brokenBy(() => revise(automation.id, { file: LEAKING }))).to.deep.equal(['file: contains-secret']);
    expect(await automations.find(automation.id)).to.deep.equal(automation);
    const other = marketplace.reviseAutomation(signedIn(bob), automation.id, { file: null });
    expect((await failureOf(() => other)).kind).to.equal('not-found');
  });
});
