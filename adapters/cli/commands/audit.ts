import { OPERATOR } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import type { AutomationId } from '../../../domain/automation.js';
import { command } from '../command.js';
import { DONE, say, withSession, type Session } from '../session.js';
import { aligned } from '../terminal/table.js';

/** An entry, with the reason of a withdrawal, which the store keeps with the automation. */
type ExplainedEntry = AuditEntry & { readonly reason: string | undefined };

/** The number of entries that are read and written at a time. */
const BATCH_SIZE = 100;

export const audit = command(
  {
    name: 'audit',
    summary: 'lists who did what, when and from which address, newest first',
    arguments: [],
    options: {
      developer: { value: 'NAME', summary: 'only entries about this developer, who may be oauth:SUBJECT' },
      json: { summary: 'prints a JSON array' },
    },
  },
  ({ options: { developer, json } }, host) =>
    withSession(host, async (session) => {
      const lines = (json ? jsonOf : tableOf)(batches(session, developer));
      for await (const line of lines) say(host.stdout, line);
      return DONE;
    }),
);

type Batches = AsyncGenerator<readonly ExplainedEntry[]>;

/** Reads the entries that exist when it begins. */
async function* batches({ audit: trail, marketplace }: Session, developer: string | undefined): Batches {
  let before: string | undefined;
  do {
    const { items, next } = await trail.list(OPERATOR, { developer, limit: BATCH_SIZE, before });
    const withdrawn = items.flatMap((entry) => withdrawnBy(entry) ?? []);
    const reasons = await marketplace.withdrawalReasons(withdrawn);
    yield items.map((entry) => ({ ...entry, reason: reasons.get(withdrawnBy(entry) ?? ('' as AutomationId)) }));
    before = next;
  } while (before !== undefined);
}

function withdrawnBy({ action, subject }: AuditEntry): AutomationId | undefined {
  return action === 'automation-withdrawn' ? (subject as AutomationId) : undefined;
}

const HEADINGS = ['time', 'actor', 'action', 'developer', 'subject', 'address', 'request', 'reason'];

async function* tableOf(entries: Batches): AsyncGenerator<string> {
  const widths: number[] = [];
  let headings = [HEADINGS];
  for await (const batch of entries) {
    yield* aligned([...headings, ...batch.map(cellsOf)], widths);
    headings = [];
  }
}

function cellsOf(entry: ExplainedEntry): string[] {
  const { at, actor, action, developerId, subject, address, requestId, reason } = entry;
  const optional = [developerId, subject, address, requestId, reason].map((value) => value ?? '-');
  return [at.toISOString(), actor, action, ...optional];
}

/** Yields a line for each entry, then the end of the array. Holds a line back until it knows if a comma follows. */
async function* jsonOf(entries: Batches): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const batch of entries)
    for (const entry of batch) {
      yield held === undefined ? '[' : `${held},`;
      held = `  ${JSON.stringify(membersOf(entry))}`;
    }
  yield* held === undefined ? ['[]'] : [held, ']'];
}

function membersOf({ id, at, actor, action, developerId, subject, address, requestId, reason }: ExplainedEntry) {
  return {
    id,
    at,
    actor,
    action,
    developer: developerId ?? null,
    subject: subject ?? null,
    address: address ?? null,
    request_id: requestId ?? null,
    reason: reason ?? null,
  };
}
