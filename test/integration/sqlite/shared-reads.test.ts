import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteAutomationRepository, SqliteDatabase } from '../../../adapters/sqlite/index.js';
import { automation, automationIdOf, numbers } from '../../contracts/offers.js';

/** A database that counts what is asked of SQLite. */
class Counted extends SqliteDatabase {
  reads = 0;
  states = 0;

  override readOne<Answer>(work: () => Answer): Promise<Answer> {
    this.reads += 1;
    return super.readOne(work);
  }

  override read<Answer>(work: () => Answer): Promise<Answer> {
    this.reads += 1;
    return super.read(work);
  }

  override state(): string {
    this.states += 1;
    return super.state();
  }
}

const FIRST = { page: { number: 1, limit: 20 } };

describe('What many ask of SQLite at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-shared-'));
  const [one, other] = [new Counted(join(folder, 'store')), new SqliteDatabase(join(folder, 'store'))];
  const [automations, elsewhere] = [new SqliteAutomationRepository(one), new SqliteAutomationRepository(other)];
  before(() => elsewhere.add(numbers(100).map((n) => ({ automation: automation(n) }))));
  beforeEach(() => Object.assign(one, { reads: 0, states: 0 }));
  after(() => {
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });

  it('is the same page: it is read once, and the state of the store asked for twice', async () => {
    const pages = await Promise.all(numbers(200).map(() => automations.list(FIRST)));
    expect(new Set(pages).size).to.equal(1);
    expect(one.states).to.equal(2);
    expect(one.reads).to.equal(2);
  });

  it('is automations by their ids: they are found by two statements', async () => {
    const found = await Promise.all(numbers(120).map((n) => automations.find(automationIdOf(n))));
    expect(found.map((each) => each?.title)).to.deep.equal(
      numbers(120).map((n) => (n <= 100 ? `Automation ${n}` : undefined)),
    );
    expect(one.reads).to.equal(2);
  });

  it('is never answered from before it was asked, whoever has stored what', async () => {
    for (const n of numbers(50)) {
      const asked = automations.list(FIRST);
      await elsewhere.add([{ automation: automation(1000 + n) }]);
      const [page, found] = await Promise.all([automations.list(FIRST), automations.find(automationIdOf(1000 + n))]);
      expect([page.total, page.items[0]?.id, found?.id]).to.deep.equal([
        100 + n,
        automationIdOf(1000 + n),
        automationIdOf(1000 + n),
      ]);
      expect((await asked).total).to.be.within(99 + n, 100 + n);
    }
  });
});
