/** A process that adds, revises and withdraws automations until it is killed, and reports what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import type { AuditEntry, AuditEntryId } from '../../../domain/audit.js';
import type { AutomationId } from '../../../domain/automation.js';
import { at, auditEntry, automation, fileOf, GAMES, revision, USD } from '../../contracts/offers.js';

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
    const [file, other] = [new Uint8Array(1 + (n % 9)), new Uint8Array(20)];
    const added = automation(n, { id: randomUUID() as AutomationId, file: fileOf(file) });
    const [first, second, third] = [newEntry(), newEntry(), newEntry()];
    await automations.add([{ automation: added, fileContent: file, auditEntry: first }]);
    report(added.id, 'added', first);
    if (n % 2 === 0) {
      const change = revision(added, { categoryId: GAMES, file: fileOf(other) }, second);
      await automations.revise({ ...change, fileContent: other });
      report(added.id, 'revised', second);
    }
    if (n % 3 === 0) {
      await automations.withdraw(added.id, { at: at(n), by: 'developer', auditEntry: third });
      report(added.id, 'withdrawn', third);
    }
  }
}

await Promise.all([writeForEver(), writeForEver(), writeForEver()]);
