import { expect } from 'chai';
import Database from 'libsql';
import type { Session } from '../../../adapters/cli/index.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { parseCurrency } from '../../../domain/currency.js';
import { numbers, offer } from '../../contracts/offers.js';
import { Program, TemporaryFolder } from './harness.js';

const COUNT = { description: 'category "email", numbers 256 to 511: counted 12, there are 13', repaired: true };
const LOST = { description: 'number 9 has two automations', repaired: false };

function differing(...differences: Program['differences']): Program {
  const program = new Program();
  program.differences = differences;
  return program;
}

describe('The command check', () => {
  it('ends with 0 where nothing differs', async () => {
    const { code, stdout, stderr } = await differing().run('check');
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: ['nothing differs'], stderr: [] });
    expect((await differing().run('check', '--json')).stdout).to.deep.equal(['[]']);
  });

  it('lists what differs, repairs nothing, and ends with 1', async () => {
    const { code, stdout } = await differing(COUNT).run('check');
    expect({ code, stdout }).to.deep.equal({
      code: 1,
      stdout: [
        `${COUNT.description}; not repaired`,
        '1 difference, 0 repaired; "check --repair" corrects what differs',
      ],
    });
  });

  it('ends with 0 when all was repaired, and with 1 when not', async () => {
    const all = await differing(COUNT, COUNT).run('check', '--repair');
    expect([all.code, all.stdout.at(-1)]).to.deep.equal([0, '2 differences, 2 repaired']);
    expect(all.stdout[0]).to.equal(`${COUNT.description}; repaired`);
    const some = await differing(COUNT, LOST).run('check', '--repair');
    expect([some.code, some.stdout[1]]).to.deep.equal([1, `${LOST.description}; not repaired`]);
  });

  it('is a JSON array on demand', async () => {
    const { code, stdout } = await differing(COUNT, LOST).run('check', '--json', '--repair');
    expect([code, JSON.parse(stdout.join('\n'))]).to.deep.equal([1, [COUNT, LOST]]);
  });

  it('lets no control character through', async () => {
    const odd = { description: 'category "\u001b[2J"', repaired: false };
    expect((await differing(odd).run('check')).stdout[0]).to.include('category "\\u001b[2J"');
  });
});

describe('The command check, over a store whose counts were damaged', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());

  it('finds each difference, repairs it on demand, and then finds none', async () => {
    const file = folder.path('market.db');
    const storage = sqliteStorage(file);
    await storage.prepare({ currency: parseCurrency('USD') });
    await storage.automations.add(numbers(300).map((n) => offer(n)));
    const database = new Database(file, { timeout: 5_000 });
    database.exec("UPDATE counts SET on_sale = on_sale + 5 WHERE size = 256 AND block = 0 AND category_id = ''");
    database.exec("DELETE FROM counts WHERE size = 256 AND block = 1 AND category_id = ''");
    database.close();
    const program = new Program();
    const session: Session = { ...program.session, check: (options) => storage.check(options) };
    const check = (...words: readonly string[]) => program.runWith({ open: async () => session }, 'check', ...words);
    const found = await check();
    expect([found.code, found.stdout.length, found.stdout.at(-1)]).to.deep.equal([
      1,
      3,
      '2 differences, 0 repaired; "check --repair" corrects what differs',
    ]);
    const repaired = await check('--repair');
    expect([repaired.code, repaired.stdout.at(-1)]).to.deep.equal([0, '2 differences, 2 repaired']);
    expect(await check()).to.deep.include({ code: 0, stdout: ['nothing differs'] });
    await storage.close();
  });
});
