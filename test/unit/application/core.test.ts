import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { Passwords } from '../../../application/accounts.js';
import { type CorePorts, newCore, OPERATOR, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { TEST_CATEGORIES } from '../../support/storages.js';
import { signedIn } from '../../support/signed-in.js';

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
    ]);
  });

  it('has one clock and one source of ids, and takes undefined for none', async () => {
    const now = () => new Date('2030-01-01T00:00:00.000Z');
    const id = '01940000-0000-7000-8000-000000000001';
    const { keys } = newCore(ports, { now, newId: () => id, currency: undefined, onAuditError: undefined });
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect([key.id, key.createdAt]).to.deep.equal([id, now()]);
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
});
