import { OPERATOR } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { DomainError } from '../../../domain/errors.js';
import { command } from '../command.js';
import { parseCount, parseTime } from '../option-values.js';
import { DONE, say, withSession, type Session } from '../session.js';
import { jsonArray } from '../terminal/json-array.js';
import { alignedParts } from '../terminal/table.js';
import { wordOf } from '../terminal/words.js';
import { memberOf } from '../transfer/automation-lines.js';

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
      since: { value: 'TIME', summary: 'only entries from then on: a time, a date, or 24h for the last day' },
      limit: { value: 'N', summary: 'only the newest N of them' },
      json: { summary: 'prints a JSON array' },
    },
  },
  async ({ options: { developer, since, limit, json } }, host) => {
    const wanted: Wanted = {
      developer,
      since: since === undefined ? undefined : parseTime('--since', since, new Date()),
      limit: limit === undefined ? Infinity : parseCount('--limit', limit),
    };
    return withSession(host, async (session) => {
      const entries = batches(session, wanted);
      const lines = json ? jsonArray(entries, membersOf) : alignedParts(HEADINGS, entries, cellsOf);
      for await (const line of lines) say(host.stdout, line);
      return DONE;
    });
  },
);

interface Wanted {
  readonly developer: string | undefined;
  readonly since: Date | undefined;
  readonly limit: number;
}

type Batches = AsyncGenerator<readonly ExplainedEntry[]>;

/** Reads the entries that exist when it begins. */
async function* batches({ audit: trail, records }: Session, { developer, since, limit }: Wanted): Batches {
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

const HEADINGS = ['time', 'actor', 'action', 'developer', 'subject', 'address', 'request', 'details'];

function cellsOf(entry: ExplainedEntry): string[] {
  const { at, actor, operatorId, action, developerId, subject, address, requestId } = entry;
  const optional = [developerId, subject, address, requestId, detailsOf(entry)].map((value) => value ?? '-');
  const who = operatorId === undefined ? actor : `${actor} ${operatorId}`;
  return [at.toISOString(), who, action, ...optional];
}

function detailsOf({ reason, role, changed, counts, file, predecessor }: ExplainedEntry): string | undefined {
  const details = [
    role && `role ${role}`,
    changed && `changed ${changed.map(wordOf).join(', ')}`,
    predecessor && `replaces ${predecessor}`,
    file && `file ${file}`,
    counts && countsText(counts),
    reason,
  ].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : details.join('; ');
}

function countsText(counts: NonNullable<AuditEntry['counts']>): string {
  if ('added' in counts) return `${counts.added} added, ${counts.renamed} renamed, ${counts.unchanged} unchanged`;
  return `${counts.stored} stored, ${counts.present} already there, ${counts.failed} failed`;
}

function membersOf(entry: ExplainedEntry) {
  const { id, at, actor, operatorId, action, developerId, subject, address, requestId } = entry;
  const { reason, role, changed, counts, file, predecessor } = entry;
  return {
    id,
    at,
    actor,
    operator: operatorId ?? null,
    action,
    developer: developerId ?? null,
    subject: subject ?? null,
    predecessor: predecessor ?? null,
    address: address ?? null,
    request_id: requestId ?? null,
    reason: reason ?? null,
    role: role ?? null,
    changed: changed?.map(memberOf) ?? null,
    counts: counts ?? null,
    file: file ?? null,
  };
}
