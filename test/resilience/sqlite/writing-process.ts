/** A process that adds, revises and withdraws automations until it is killed, and reports what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { AuditEntry, AuditEntryId } from '../../../domain/audit.js';
import type { AutomationId } from '../../../domain/automation.js';
import { at, auditEntry, automation, GAMES, revision, USD } from '../../contracts/offers.js';

/** What a process reports: the last acknowledged state of an automation, and the entry that was stored with it. */
export interface Acknowledged {
  readonly id: AutomationId;
  readonly state: 'added' | 'revised' | 'withdrawn';
  readonly entry: AuditEntryId;
}

const storage = sqliteStorage(process.argv[2] ?? '');
await storage.prepare({ currency: USD });
const { automations } = storage;

function report(id: AutomationId, state: Acknowledged['state'], { id: entry }: AuditEntry): void {
  process.send?.({ id, state, entry } satisfies Acknowledged);
}

const newEntry = () => auditEntry(1, { id: randomUUID() as AuditEntryId });

async function writeForEver(): Promise<never> {
  for (let n = 0; ; n += 1) {
    const added = automation(n, { id: randomUUID() as AutomationId });
    const [first, second, third] = [newEntry(), newEntry(), newEntry()];
    await automations.add([{ automation: added, auditEntry: first }]);
    report(added.id, 'added', first);
    if (n % 2 === 0) {
      await automations.revise(revision(added, { categoryId: GAMES }, second));
      report(added.id, 'revised', second);
    }
    if (n % 3 === 0) {
      await automations.withdraw(added.id, { at: at(n), by: 'developer', auditEntry: third });
      report(added.id, 'withdrawn', third);
    }
  }
}

await Promise.all([writeForEver(), writeForEver(), writeForEver()]);
