import { OPERATOR } from '../../domain/access.js';
import type { AuditEntry } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import { command } from './command.js';
import { DONE, say, withSession, type Session } from './host.js';
import { aligned } from './table.js';

/** An entry, and of a withdrawal the reason that the store has with the automation. */
type Explained = AuditEntry & { readonly reason: string | undefined };

/** Entries read and written at a time. */
const TOGETHER = 100;

export const audit = command(
  {
    name: 'audit',
    summary: 'tells who did what, when and from where, newest first',
    arguments: [],
    options: {
      developer: { value: 'NAME', summary: 'only what concerns this developer; NAME may also be oauth: and a subject' },
      json: { summary: 'as a JSON array' },
    },
  },
  ({ options: { developer, json } }, host) =>
    withSession(host, async (session) => {
      const lines = (json ? jsonOf : tableOf)(stretches(session, developer));
      for await (const line of lines) say(host.stdout, line);
      return DONE;
    }),
);

/** What comes to the audit meanwhile is not in them. */
async function* stretches({ audit: trail, marketplace }: Session, developer: string | undefined): AsyncGenerator<readonly Explained[]> {
  let before: string | undefined;
  do {
    const { items, next } = await trail.list(OPERATOR, { developer, limit: TOGETHER, before });
    const withdrawn = items.flatMap((entry) => withdrawnBy(entry) ?? []);
    const reasons = await marketplace.withdrawalReasons(withdrawn);
    yield items.map((entry) => ({ ...entry, reason: reasons.get(withdrawnBy(entry) ?? ('' as AutomationId)) }));
    before = next;
  } while (before !== undefined);
}

function withdrawnBy({ action, subject }: AuditEntry): AutomationId | undefined {
  return action === 'automation-withdrawn' ? (subject as AutomationId) : undefined;
}

const HEADINGS = ['time', 'by', 'did', 'developer', 'subject', 'address', 'request', 'reason'];

async function* tableOf(pages: AsyncIterable<readonly Explained[]>): AsyncGenerator<string> {
  const widths: number[] = [];
  let headings = [HEADINGS];
  for await (const entries of pages) {
    yield* aligned([...headings, ...entries.map(cellsOf)], widths);
    headings = [];
  }
}

function cellsOf({ at, actor, action, developerId, subject, address, requestId, reason }: Explained): string[] {
  return [at.toISOString(), actor, action, ...[developerId, subject, address, requestId, reason].map((value) => value ?? '-')];
}

/** A line for each entry, and one more that closes the array; a line is told once it is known whether another follows. */
async function* jsonOf(pages: AsyncIterable<readonly Explained[]>): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const entries of pages)
    for (const entry of entries) {
      yield held === undefined ? '[' : `${held},`;
      held = `  ${JSON.stringify(membersOf(entry))}`;
    }
  yield* held === undefined ? ['[]'] : [held, ']'];
}

function membersOf({ id, at, actor, action, developerId, subject, address, requestId, reason }: Explained) {
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
