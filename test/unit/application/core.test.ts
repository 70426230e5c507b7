import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { Passwords } from '../../../application/accounts.js';
import { callerOf, type CorePorts, newCore, OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { signedIn } from '../../support/signed-in.js';
import { countingIds } from './people.js';

const DRAFT = { title: 'One', description: 'Two', price: 3, categoryId: 'communication' };

describe('The core without a container', () => {
  let ports: CorePorts;
  beforeEach(async () => {
    ports = inMemoryStorage();
    await ports.categories.save(TEST_CATEGORIES);
  });

  it('is all over one store: a new key creates what the catalogue shows and the history tells', async () => {
    const { audit, catalogue, keys, marketplace, verifier } = newCore(ports, { currency: 'EUR' });
    const caller = await verifier.verify((await keys.issue(OPERATOR, { developer: 'ada' })).text);
    if (caller === undefined) throw new Error('the key is not valid');
    const { id, price } = await marketplace.createAutomation(caller, DRAFT);
    expect(price.currency).to.equal('EUR');
    expect((await catalogue.find({})).items.map((one) => one.id)).to.deep.equal([id]);
    expect((await audit.list(signedIn(caller))).items.map(({ action }) => action)).to.deep.equal([
      'automation-published',
      'key-issued',
      'developer-added',
    ]);
  });

  it('has one clock and one source of ids, and takes undefined for none', async () => {
    const now = () => new Date('2030-01-01T00:00:00.000Z');
    const ids = countingIds();
    let id = '';
    const newId = () => (id = ids());
    const { keys } = newCore(ports, { now, newId, currency: undefined, onAuditError: undefined });
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect(key.createdAt).to.deep.equal(now());
    expect(Number.parseInt(id.slice(-12), 10) - Number.parseInt(key.id.slice(-12), 10)).to.equal(2);
    expect(newCore(ports, { now: undefined, newId: undefined }).marketplace.currency).to.equal('USD');
  });

  it('hashes passwords as it is told', async () => {
    const { accounts, sessions } = newCore(ports, { passwords: new Passwords({ cost: 4 }) });
    const { token } = await accounts.invite(OPERATOR, 'ada');
    await sessions.accept(token, { name: 'ada', password: 'correct horse battery' });
    expect((await ports.developers.find(parseDeveloperId('ada')))?.passwordHash).to.match(/^\$scrypt\$ln=4,/);
  });

  it('finds by words where the storage has no search', async () => {
    const { marketplace } = newCore({ ...ports, search: undefined });
    const ada = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    const { id } = await marketplace.createAutomation(ada, DRAFT);
    const { items, total } = await marketplace.listAutomations(ada, { q: 'one' });
    expect([items.map((item) => item.id), total]).to.deep.equal([[id], 1]);
  });

  const clocks: Readonly<Record<string, unknown>> = {
    'has no time': () => new Date(Number.NaN),
    'tells no Date': () => Date.now(),
    'is a Date': new Date(),
  };
  for (const [what, now] of Object.entries(clocks))
    it(`refuses a clock that ${what} at once, by name`, () => {
      expect(() => newCore(ports, { now: now as () => Date })).to.throw(TypeError, /^now must/);
    });

  it('refuses a clock that goes wrong later with the first use case that needs the time', async () => {
    let time = 0;
    const { keys } = newCore(ports, { now: () => new Date(time) });
    time = Number.NaN;
    const issuing = keys.issue(OPERATOR, { developer: 'ada' });
    expect(String(await issuing.catch((error: unknown) => error))).to.include('now must return a Date that has a time');
  });

  it('refuses ids that are no UUIDs, or not new, at once, by name', () => {
    const wrong: Readonly<Record<string, () => unknown>> = {
      'newId must make UUIDs in lower case, not id-1': () => 'id-1',
      'newId must make UUIDs in lower case, not 7': () => 7,
      'newId must make a new UUID at each call': () => '01940000-0000-7000-8000-000000000001',
    };
    for (const [message, newId] of Object.entries(wrong))
      expect(() => newCore(ports, { newId: newId as () => string })).to.throw(TypeError, message);
  });

  it('refuses ports that are missing at once, by name', () => {
    const takes = 'newCore takes the ports of a store, an object with automations, archive, categories, keys';
    for (const [wrong, end] of [
      [{}, 'there is no automations, archive, categories, keys, developers, sessions, auditLog'],
      [{ ...ports, keys: undefined }, 'there is no keys'],
      [null, 'not null'],
    ] as const)
      expect(() => newCore(wrong as never))
        .to.throw(TypeError)
        .with.property('message')
        .that.satisfies((message: string) => message.startsWith(takes) && message.endsWith(end));
  });

  it('refuses a name that a request does not have, such as pageSize', async () => {
    const core = newCore(ports);
    const ada = callerOf(signedIn({ developerId: parseDeveloperId('ada') }));
    const wrong = { pageSize: 3 } as never;
    const calls: readonly (() => Promise<unknown>)[] = [
      () => core.marketplace.listAutomations(ada, wrong),
      () => core.catalogue.find(wrong),
      () => core.records.find(OPERATOR, wrong),
      () => core.keys.list(OPERATOR, wrong),
      () => core.keys.listEnded(OPERATOR, wrong),
      () => core.keys.issue(OPERATOR, wrong),
      () => core.audit.list(OPERATOR, wrong),
      () => core.accounts.list(OPERATOR, wrong),
      () => core.accounts.invite(OPERATOR, 'ada', wrong),
      () => core.accounts.suspend(OPERATOR, 'ada', wrong),
      () => core.transfer.import(OPERATOR, wrong, async () => undefined),
      () => core.apps?.list(OPERATOR, wrong) ?? expect.fail(),
      () => core.connections?.list(signedIn(ada), wrong) ?? expect.fail(),
    ];
    for (const call of calls) {
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure, String(call)).to.be.instanceOf(TypeError);
      expect(String(failure), String(call)).to.match(/ha(?:s|ve) no option pageSize; it has \w+/);
    }
  });

  it('names callerOf where a person is passed as a caller', async () => {
    const { marketplace } = newCore(ports);
    const person = signedIn({ developerId: parseDeveloperId('ada') });
    const listing = marketplace.listAutomations(person as never).catch((error: unknown) => error);
    expect(String(await listing)).to.equal('TypeError: a caller is needed here, not a person; pass callerOf(person)');
  });
});
