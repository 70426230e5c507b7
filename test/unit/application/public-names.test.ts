import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore } from '../../../application/core.js';
import { OPERATOR, type Caller, type DeveloperId } from '../../../domain/access.js';
import { failureOf } from '../domain/failure.js';
import { signedIn } from '../../support/signed-in.js';

const caller = (id: string): Caller => ({ developerId: id as DeveloperId, scopes: [] });

/** Accounts of these developers, in a market of the name "Acme & Co". */
async function open(...developers: readonly string[]) {
  const { accounts, profiles } = newCore(inMemoryStorage(), { brandName: 'Acme & Co' });
  for (const id of developers) await accounts.invite(OPERATOR, id);
  const nameOf = async (id: string) => (await profiles.show(id as DeveloperId)).name;
  const change = (id: string, publicName: string) => profiles.change(signedIn(caller(id)), { publicName });
  const refusalOf = async (id: string, publicName: string) => {
    const { kind, fields } = await failureOf(() => change(id, publicName));
    return [kind, fields[0]?.field, fields[0]?.detail];
  };
  return { accounts, change, nameOf, refusalOf };
}

const TAKEN = 'is the name of another developer, or looks like it; choose another';
const RESERVED = 'is kept for the marketplace itself; choose another';
const MIXED = 'must not mix letters of different scripts in one word';

describe('No developer is shown as another one', () => {
  it('who has no public name: their id is not free, in any case', async () => {
    const { refusalOf, nameOf } = await open('ada', 'bob');
    for (const name of ['ada', 'Ada', 'ADA', 'Ａda', 'a\u2060da'])
      expect(await refusalOf('bob', name), name).to.deep.equal(['conflict', 'publicName', TAKEN]);
    expect(await refusalOf('bob', 'АDA')).to.deep.equal(['invalid', 'publicName', MIXED]);
    expect([await nameOf('ada'), await nameOf('bob')]).to.deep.equal(['@ada', '@bob']);
  });

  it('who has a public name', async () => {
    const { change, refusalOf, nameOf } = await open('ada', 'bob');
    await change('ada', 'Асе');
    expect(await refusalOf('bob', 'ACE')).to.deep.equal(['conflict', 'publicName', TAKEN]);
    await change('ada', 'Ada');
    await change('bob', 'Ace');
    expect([await nameOf('ada'), await nameOf('bob')]).to.deep.equal(['Ada', 'Ace']);
  });

  it('or as the house, or as one who has no public name', async () => {
    const { refusalOf } = await open('bob');
    for (const name of ['operator', 'Admin', 'SUPPORT', 'market\u200Bplace', 'acme & co'])
      expect(await refusalOf('bob', name), name).to.deep.equal(['invalid', 'publicName', RESERVED]);
    for (const name of ['@ada', '＠person-0123456789'])
      expect(await refusalOf('bob', name), name).to.deep.equal(['invalid', 'publicName', RESERVED]);
  });

  it('but reserved words bind public names only', async () => {
    const { accounts, nameOf, refusalOf } = await open('operator', 'support', 'bob');
    expect(await accounts.find(OPERATOR, 'operator')).to.include({ id: 'operator' });
    expect(await nameOf('operator')).to.equal('@operator');
    expect((await refusalOf('operator', 'Operator'))[2]).to.equal(RESERVED);
  });

  it('an invitation is not refused for a public name, and says who has it', async () => {
    const { accounts, change } = await open('bob', 'ida');
    await change('ida', 'Ida Ltd');
    await change('bob', 'ЕѵЕ');
    expect(await accounts.invite(OPERATOR, 'eve')).to.deep.include({ namesake: { id: 'bob', publicName: 'ЕѵЕ' } });
    expect(await accounts.invite(OPERATOR, 'eve')).to.have.property('namesake');
    for (const id of ['bob', 'ida', 'zoe'])
      expect(await accounts.invite(OPERATOR, id)).to.not.have.property('namesake');
  });
});
