import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore, OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT = { title: 'One', description: 'Two', price: 3, categoryId: 'communication' };
const CALLER = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const ADA = signedIn(CALLER);

/** Returns ids that have letters, each greater than the one before. */
function countingIds() {
  let last = 0;
  return () => `0190abcd-0000-7000-8abc-${(last += 1).toString(16).padStart(12, '0')}`;
}

/** Returns a store with an automation, a key, an app and a connection, and their ids in upper case. */
async function open() {
  const ports = inMemoryStorage();
  await ports.categories.save(TEST_CATEGORIES);
  const { apps, connections, ...core } = newCore(ports, { newId: countingIds() });
  if (apps === undefined || connections === undefined) throw new Error('the storage has no records');
  const automation = (await core.marketplace.createAutomation(CALLER, DRAFT)).id.toUpperCase();
  const key = (await core.keys.issue(OPERATOR, { developer: 'ada' })).key.id.toUpperCase();
  const registration = { name: 'App', kind: 'web', redirectUris: ['https://app.example/'], scopes: SCOPES } as const;
  const app = (await apps.register(ADA, registration)).app.id.toUpperCase();
  const consent = { clientId: 'https://agent.example/x.json', name: 'A', scopes: SCOPES, audience: 'api' } as const;
  const connection = (await connections.connect(ADA, consent)).id.toUpperCase();
  return { ...core, apps, connections, automation, key, app, connection };
}

type Market = Awaited<ReturnType<typeof open>>;

describe('An id in upper case', () => {
  const finds: Readonly<Record<string, (market: Market) => Promise<{ readonly id: string } | undefined>>> = {
    'automation, to read': (m) => m.marketplace.readAutomation(CALLER, m.automation),
    'automation, to manage': async (m) => (await m.records.read(ADA, m.automation)).automation,
    'automation of the catalogue': async (m) => (await m.catalogue.read(m.automation))?.automation,
    'automation, to revise': async (m) =>
      (await m.marketplace.reviseAutomation(ADA, m.automation, { title: 'New' })).automation,
    key: (m) => m.keys.read(ADA, m.key),
    app: (m) => m.apps.read(ADA, m.app),
    connection: (m) => m.connections.read(ADA, m.connection),
  };
  for (const [what, find] of Object.entries(finds))
    it(`finds the ${what}, which has its usual id`, async () => {
      expect((await find(await open()))?.id).to.match(/^0190abcd-0000-7000-8abc-[0-9a-f]{12}$/);
    });

  it('ends an automation, a key, an app and a connection', async () => {
    const market = await open();
    await market.marketplace.withdrawAutomation(ADA, market.automation);
    await market.keys.revoke(ADA, market.key);
    await market.apps.revoke(ADA, market.app);
    await market.connections.disconnect(ADA, market.connection);
    const ended = (await market.audit.list(OPERATOR, { limit: 4 })).items.map(({ action }) => action);
    expect(ended).to.deep.equal(['app-disconnected', 'app-revoked', 'key-revoked', 'automation-withdrawn']);
  });

  it('is the place where a part of a list begins', async () => {
    const { audit, keys, apps, connections, ...market } = await open();
    const entries = (await audit.list(OPERATOR)).items.map(({ id }) => id);
    const [newest = '', , third = ''] = entries;
    const some = await audit.list(OPERATOR, { before: newest.toUpperCase(), after: third.toUpperCase() });
    expect(some.items.map(({ id }) => id)).to.deep.equal(entries.slice(1, 2));
    const second = (await keys.issue(OPERATOR, { developer: 'ada' })).key.id.toUpperCase();
    expect((await keys.list(OPERATOR, { before: second })).items).to.have.length(1);
    await keys.revoke(OPERATOR, market.key);
    await keys.revoke(OPERATOR, second);
    expect((await keys.listEnded(OPERATOR, { developer: 'ada', before: market.key })).items).to.have.length(0);
    expect((await keys.listEnded(OPERATOR, { developer: 'ada', before: second })).items).to.have.length(1);
    const again = { name: 'B', kind: 'machine', redirectUris: [], scopes: SCOPES } as const;
    const { id } = (await apps.register(ADA, again)).app;
    expect((await apps.list(ADA, { before: id.toUpperCase() })).items).to.have.length(1);
    const consent = { clientId: 'https://agent.example/x.json', name: 'A', scopes: SCOPES, audience: 'api' } as const;
    const other = await connections.connect(ADA, consent);
    expect((await connections.list(ADA, { before: other.id.toUpperCase() })).items).to.have.length(1);
  });
});
