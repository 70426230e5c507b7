import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, OVERLAP } from './sentences.js';

const SCAN = 'Returns a part of the automations that match';
const AFTER = 'With `after`, those that come after that automation in this order';
const FIND_ANY = 'Returns the automation, also a withdrawn one, with its reason';
const OWN_ENTRIES = 'Entries that the store writes to the audit log itself';
const PENDING = 'Returns entries of the audit that are kept together with automations';
const CLEAR = 'Removes these entries from the automations';

const RECORD = 'await this.auditLog.append(entries.filter((entry) => entry !== undefined));';
const REVISED = 'this.#replace({ ...entryOf(automation), id, developerId, createdAt });';
const KNOWN = 'after === undefined ? undefined : this.#numbers.get(after);';

const archive = mutantsOf('archive', 'adapters/in-memory/automation-repository.js', {
  [SCAN]: [
    ['lists every status', 'this.#shelf(shelfOf(status, developerId))', "this.#shelf(shelfOf('all', developerId))"],
    ['lists 100 at most', 'shelf.part(order, limit, known)', 'shelf.part(order, Math.min(limit, 100), known)'],
    ['lists no more than 5', 'shelf.part(order, limit, known)', 'shelf.part(order, Math.min(limit, 5), known)'],
    ['lists in one order', 'shelf.part(order, limit, known)', "shelf.part('newest-first', limit, known)"],
    [
      'does not tell what was withdrawn',
      '.map(archivedOf);',
      '.map((entry) => ({ automation: automationOf(entry) }));',
    ],
  ],
  [AFTER]: [
    [
      'begins again behind one that was withdrawn',
      KNOWN,
      'after === undefined || this.#entryOf(after)?.withdrawn ? undefined : this.#numbers.get(after);',
    ],
    ["takes another developer's for one's own", 'return developerId === undefined ||', 'return true ||'],
    [
      'begins again behind an unknown one',
      'if (number === undefined) return false;',
      'if (number === undefined) return true;',
    ],
  ],
  [OVERLAP]: [
    [
      'counts what is left, and waits before it reads',
      'return this.#at(shelf.part(order, limit, known)).map(archivedOf);',
      'const left = shelf.part(order, 1_000, known).length; await new Promise(setImmediate); ' +
        'return this.#at(shelf.part(order, 1_000).slice(-left || 1_000).slice(0, limit)).map(archivedOf);',
    ],
  ],
  [FIND_ANY]: [
    [
      'does not find a withdrawn one',
      'return entry && archivedOf(entry);',
      'return entry && !entry.withdrawn ? archivedOf(entry) : undefined;',
    ],
    ['takes an empty reason for none', '...(reason !== undefined && { reason })', '...(reason && { reason })'],
    ['has an empty reason where there is none', '...(reason !== undefined && { reason })', "reason: reason ?? ''"],
    [
      'cuts reasons to 1,000 code units',
      '...(reason !== undefined && { reason })',
      '...(reason !== undefined && { reason: reason.slice(0, 1_000) })',
    ],
    [
      'takes the last reason',
      "if (entry.withdrawn) return 'already-withdrawn';",
      "if (entry.withdrawn) { this.#replace({ ...entry, withdrawn: { at: 0, reason } }); return 'already-withdrawn'; }",
    ],
  ],
  [OWN_ENTRIES]: [
    ['returns before it records', RECORD, `setTimeout(() => { ${RECORD.replace('await ', 'void ')} });`],
    [
      'records one entry of a call',
      RECORD,
      'await this.auditLog.append(entries.slice(0, 1).filter((entry) => entry !== undefined));',
    ],
    [
      'records what was not stored',
      'await this.#record(...inserts.map(({ auditEntry }) => auditEntry));',
      'await this.#record(...offers.map(({ auditEntry }) => auditEntry));',
    ],
    [
      'records a revision that is a conflict',
      'if (entry.updatedAt !== basedOn.getTime())',
      'await this.#record(auditEntry); if (entry.updatedAt !== basedOn.getTime())',
    ],
    ['does not record a revision', `${REVISED} await this.#record(auditEntry);`, REVISED],
    [
      'records a second withdrawal',
      "if (entry.withdrawn) return 'already-withdrawn';",
      "if (entry.withdrawn) { await this.#record(auditEntry); return 'already-withdrawn'; }",
    ],
    [
      'returns what is in the log',
      'async pendingAudit() { return [];',
      'async pendingAudit(limit) { return this.auditLog.list({ limit });',
    ],
  ],
  [PENDING]: [
    [
      'ignores the limit',
      'async pendingAudit() { return [];',
      'async pendingAudit() { return this.auditLog.list({ limit: 1_000 });',
    ],
  ],
  [CLEAR]: [
    [
      'fails for unknown ids',
      'async clearAudit() {',
      "async clearAudit(ids) { if (ids.length === 2) throw new Error('unknown');",
    ],
  ],
  [HANDLE]: [
    [
      'returns what it has returned before',
      'return entry && archivedOf(entry);',
      'return entry && (entry.out ??= archivedOf(entry));',
    ],
  ],
});

const shelf = mutantsOf('archive', 'adapters/in-memory/shelf.js', {
  [SCAN]: [
    [
      'lists one too many',
      'this.numbers.subarray(skip, skip + limit)',
      'this.numbers.subarray(skip, skip + limit + 1)',
    ],
  ],
  [AFTER]: [
    ['begins with the one that is known', 'this.#countBelow(after + 1)', 'this.#countBelow(after)'],
    [
      'begins with the one that is known, newest first',
      'this.#size - this.#countBelow(after)',
      'this.#size - this.#countBelow(after) - 1',
    ],
  ],
});

const entry = mutantsOf('archive', 'adapters/in-memory/entries.js', {
  [FIND_ANY]: [['tells another time', 'at: new Date(withdrawn.at)', 'at: new Date(entry.updatedAt)']],
});

export const ARCHIVE: readonly Mutant[] = [...archive, ...shelf, ...entry];
