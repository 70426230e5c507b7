import { expect } from 'chai';
import Libsql from 'libsql';
import { ThreadExecutor } from '../../../adapters/sqlite/executor.js';
import { prepareSqlite } from '../../../adapters/sqlite/index.js';
import type { Writes } from '../../../adapters/sqlite/writes.js';
import { newCategory } from '../../../domain/category.js';
import { auditEntry, numbers, USD } from '../../contracts/offers.js';
import { failureOf } from '../../unit/domain/failure.js';
import { Stores } from './stores.js';

describe('The thread that writes to SQLite', function () {
  this.timeout(30_000);
  const stores = new Stores();
  const executors: ThreadExecutor<Writes>[] = [];
  afterEach(async () => {
    for (const executor of executors.splice(0)) await executor.close();
    await stores.close();
  });

  /** Returns an executor whose thread has started, and whose calls have this time limit, but for those of the audit. */
  async function started(timeLimitMs: number): Promise<{ executor: ThreadExecutor<Writes>; hand: Libsql.Database }> {
    const file = stores.newFile();
    await prepareSqlite(stores.database(file), { currency: USD });
    const limitOf = (name: string) => (name === 'appendAudit' ? undefined : timeLimitMs);
    const executor = new ThreadExecutor<Writes>({ file, task: 'write' }, limitOf);
    executors.push(executor);
    await executor.run('appendAudit', [[]]);
    return { executor, hand: new Libsql(file) };
  }

  it('leaves a caller with an unknown outcome when a write goes on for too long, and works on', async () => {
    const { executor, hand } = await started(100);
    hand.exec('BEGIN IMMEDIATE');
    const failure = await failureOf(() => executor.run('saveCategories', [[]]));
    expect(failure).to.include({ kind: 'outcome-unknown', code: 'no-answer' });
    expect(hand.inTransaction).to.equal(true);
    hand.exec('COMMIT');
    hand.close();
    await executor.run('appendAudit', [[auditEntry(1)]]);
  });

  it('does not begin a write that has waited too long for others', async () => {
    const { executor, hand } = await started(10);
    const long = executor.run('appendAudit', [numbers(50_000).map((n) => auditEntry(n))]);
    const email = newCategory({ id: 'email', name: 'Email' });
    const failure = await failureOf(() => executor.run('saveCategories', [[email]]));
    expect(failure.kind).to.be.oneOf(['unavailable', 'outcome-unknown']);
    await long;
    await executor.run('appendAudit', [[]]);
    expect(hand.prepare('SELECT count(*) FROM categories').raw().get()).to.deep.equal([0]);
    hand.close();
  });
});
