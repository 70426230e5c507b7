import type { Command } from '@commander-js/extra-typings';
import { OPERATOR } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { DomainError } from '../../../domain/errors.js';
import { memberOf } from '../../api/representations.js';
import { sayUnknown } from '../names.js';
import { withSession, type Host, type Session } from '../session.js';
import { BATCH_SIZE, printList, shownBy } from '../terminal/list.js';
import { wordOf } from '../terminal/words.js';
import { parseCount, parseTime } from '../values.js';

/** An entry, with the reason of a withdrawal, which the store keeps with the automation. */
type ExplainedEntry = AuditEntry & { readonly reason: string | undefined };

export function addAudit(program: Command, host: Host): void {
  program
    .command('audit')
    .description('lists who did what, when and from which address, newest first')
    .option('--developer <NAME>', 'only entries about this developer')
    .option('--since <TIME>', 'only entries from then on: a time, a date, or 24h for the last day', parseTime)
    .option('--limit <N>', 'only the newest N of them', parseCount)
    .option('--json', 'prints a JSON array')
    .action(({ json, ...wanted }) =>
      withSession(host, async (session) => {
        const count = await printList(host.stdout, LIST, batches(session, wanted), json);
        if (count === 0) await sayUnknown(session, wanted.developer, host.stderr);
      }),
    );
}

interface Wanted {
  readonly developer?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit?: number | undefined;
}

type Batches = AsyncGenerator<readonly ExplainedEntry[]>;

/** Reads the entries that exist when it begins. */
async function* batches({ audit: trail, records }: Session, { developer, since, limit = Infinity }: Wanted): Batches {
  let before: string | undefined;
  let left = limit;
  do {
    const { items, next } = await trail.list(OPERATOR, { developer, limit: Math.min(left, BATCH_SIZE), before });
    const recent = since === undefined ? items : items.filter(({ at }) => at >= since);
    yield Promise.all(recent.map(async (entry) => ({ ...entry, reason: await reasonOf(entry, records) })));
    left -= recent.length;
    before = recent.length < items.length ? undefined : next;
  } while (before !== undefined && left > 0);
}

/** Returns undefined also for an automation that is no longer in the store. */
async function reasonOf({ action, subject }: AuditEntry, records: Session['records']) {
  if (action !== 'automation-withdrawn' || subject === undefined) return undefined;
  try {
    return (await records.read(OPERATOR, subject)).withdrawn?.reason;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

function detailsOf({ reason, role, changed, counts, file, predecessor, credentialId }: ExplainedEntry): string {
  const details = [
    role && `role ${role}`,
    changed && `changed ${changed.map(wordOf).join(', ')}`,
    predecessor && `replaces ${predecessor}`,
    credentialId && `with ${credentialId}`,
    file && `file ${file}`,
    counts && countsText(counts),
    reason,
  ].filter((detail) => detail !== undefined);
  return details.join('; ') || '-';
}

function countsText(counts: NonNullable<AuditEntry['counts']>): string {
  if ('added' in counts) return `${counts.added} added, ${counts.renamed} renamed, ${counts.unchanged} unchanged`;
  return `${counts.stored} stored, ${counts.present} already there, ${counts.failed} failed`;
}

const LIST = shownBy<ExplainedEntry>([
  { name: 'id', value: ({ id }) => id },
  { name: 'at', heading: 'time', value: ({ at }) => at, cell: ({ at }) => at.toISOString() },
  { name: 'actor', heading: 'actor', value: ({ actor }) => actor, cell: actorOf, cutTo: 9 },
  { name: 'operator', value: ({ operatorId }) => operatorId },
  { name: 'credential_id', value: ({ credentialId }) => credentialId },
  { name: 'action', heading: 'action', value: ({ action }) => action },
  { name: 'developer', heading: 'developer', value: ({ developerId }) => developerId, cutTo: 9, leaveOut: 5 },
  { name: 'subject', heading: 'subject', value: ({ subject }) => subject, leaveOut: 2 },
  { name: 'predecessor', value: ({ predecessor }) => predecessor },
  { name: 'address', heading: 'address', value: ({ address }) => address, leaveOut: 3 },
  { name: 'request_id', heading: 'request', value: ({ requestId }) => requestId, leaveOut: 1 },
  { heading: 'details', value: detailsOf, cutTo: 12, leaveOut: 4 },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'role', value: ({ role }) => role },
  { name: 'changed', value: ({ changed }) => changed?.map(memberOf) },
  { name: 'counts', value: ({ counts }) => counts },
  { name: 'file', value: ({ file }) => file },
]);

function actorOf({ actor, operatorId }: ExplainedEntry): string {
  if (actor !== 'operator') return actor;
  return operatorId === undefined ? 'command' : `operator (${operatorId})`;
}
