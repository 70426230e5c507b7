import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { InMemoryAuditLog } from '../../../adapters/in-memory/audit-log.js';
import { AuditTrail, newCore, OPERATOR, SCOPES } from '../../../application/index.js';
import type { AuditEntry, AuditEntryId } from '../../../domain/audit.js';
import { ADA, auditEntry, numbers, USD } from '../../contracts/offers.js';
import { describePostgres, runSql } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';
import { readmeConstant } from '../../support/readme.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

type Deliver = (entry: AuditEntry) => unknown;
type Reader = (deliver: Deliver, start?: number) => Promise<void>;

/** Returns a new reader, which is the one that docs/embedding.md shows. */
async function readerOf(audit: AuditTrail): Promise<Reader> {
  return (await readmeConstant('An outbox', 'deliverNew', { audit, OPERATOR })) as Reader;
}

/** Returns what one reading delivers, and what a reader that asks only after the highest id would get. */
async function readOnce(audit: AuditTrail, read: Reader, highest?: string) {
  const delivered: AuditEntry[] = [];
  await read((entry) => void delivered.push(entry));
  const naive = highest === undefined ? undefined : await audit.list(OPERATOR, { after: highest });
  return { delivered: delivered.map(({ action }) => action), last: delivered.at(-1)?.id, naive: naive?.items.length };
}

/** Returns the nth id of this millisecond. */
function idAt(ms: number, n: number): AuditEntryId {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}` as AuditEntryId;
}

describe('The outbox of docs/embedding.md', () => {
  it('in memory: an entry that is stored behind one that was read is delivered once', async () => {
    const log = new InMemoryAuditLog();
    const at = Date.now();
    const ids = [idAt(at, 2), idAt(at, 1)];
    const audit = new AuditTrail(log, { newId: () => ids.shift() ?? expect.fail() });
    const read = await readerOf(audit);
    await audit.recordBy(OPERATOR, 'developer-invited', ADA);
    const first = await readOnce(audit, read);
    await audit.recordBy(OPERATOR, 'developer-suspended', ADA);
    const second = await readOnce(audit, read, first.last);
    expect(first.delivered).to.deep.equal(['developer-invited']);
    expect([second.delivered, second.naive]).to.deep.equal([['developer-suspended'], 0]);
    expect((await readOnce(audit, read)).delivered).to.deep.equal([]);
  });

  it('in memory: each entry is delivered once, and what could not be delivered comes again', async () => {
    const log = new InMemoryAuditLog();
    const audit = new AuditTrail(log);
    const read = await readerOf(audit);
    for (const _ of numbers(250)) await audit.recordBy(OPERATOR, 'developer-invited', ADA);
    const delivered: string[] = [];
    const deliver = ({ id }: AuditEntry) => {
      if (delivered.length === 120) throw new Error('planted');
      delivered.push(id);
    };
    const failure = await read(deliver).catch((error: unknown) => String(error));
    await read(({ id }) => void delivered.push(id));
    const stored = await log.list({ limit: 1_000 });
    expect(failure).to.equal('Error: planted');
    expect(delivered).to.deep.equal(stored.map(({ id }) => id as string).toReversed());
  });

  it('in memory: a reading that takes minutes loses nothing that is stored behind it meanwhile', async () => {
    const log = new InMemoryAuditLog();
    const start = Date.now();
    const entryAt = (ms: number, n: number) => auditEntry(n, { id: idAt(ms, n), at: new Date(ms) });
    await log.append(numbers(150).map((n) => entryAt(start, n + 1)));
    const late = entryAt(start, 1);
    const newer = entryAt(start + 120_000, 1);
    const read = await readerOf(new AuditTrail(log));
    const delivered: string[] = [];
    await read(async ({ id }) => {
      delivered.push(id);
      if (delivered.length === 1) await log.append([newer, entryAt(start + 121_000, 1), late]);
    }, start);
    expect(delivered).to.include(newer.id).and.not.include(late.id);
    await read(({ id }) => void delivered.push(id), start + 121_000);
    expect(delivered.slice(152)).to.deep.equal([late.id]);
  });

  describePostgres('in PostgreSQL', (newPlace) => {
    it('PostgreSQL: the entry of a create that commits after a later one is delivered once', async () => {
      const place = await newPlace();
      const storage = openPostgres(place);
      await storage.prepare({ currency: USD });
      await storage.categories.save(TEST_CATEGORIES);
      const { audit, marketplace } = newCore(storage);
      const read = await readerOf(audit);
      const other = new pg.Client(place.url);
      await other.connect();
      await other.query(`BEGIN; LOCK TABLE "${place.schema}".automations IN SHARE MODE`);
      const draft = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'communication' };
      const create = marketplace.createAutomation({ developerId: ADA, scopes: SCOPES }, draft);
      await untilSomethingWaits(place.url);
      await audit.recordBy(OPERATOR, 'developer-invited', ADA);
      const first = await readOnce(audit, read);
      await other.query('COMMIT');
      await other.end();
      await create;
      const second = await readOnce(audit, read, first.last);
      const third = await readOnce(audit, read);
      await storage.close();
      expect(first.delivered).to.deep.equal(['developer-invited']);
      expect([second.delivered, second.naive]).to.deep.equal([['automation-published'], 0]);
      expect(third.delivered).to.deep.equal([]);
    });
  });
});

/** Waits until a transaction waits for the lock of another one. */
async function untilSomethingWaits(url: string): Promise<void> {
  while ((await runSql(url, 'SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0) await setTimeout(20);
}
