import { mutantsOf, type Mutant } from './mutant.js';
import { HANDLE, OVERLAP } from './sentences.js';

const SCAN = 'Returns a part of the automations that match';
const AFTER = 'With `after`, those that come after that automation in this order';
const FIND_ANY = 'Returns the automation, also a withdrawn one, with when, why and by whom it was withdrawn';
const TOGETHER = 'The entry of the audit, stored in the audit log together with the change';
const BULK = 'Takes the oldest automations that the developer has on sale off the market';

const RECORD = 'await this.auditLog.append(entries.filter((entry) => entry !== undefined));';
const REVISED =
  'this.#replace({ ...entryOf(automation), id, developerId, createdAt }); this.#keepFile(id, fileContent);';
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
    [
      'takes the last reason',
      "if (entry.withdrawn) return 'already-withdrawn';",
      "if (entry.withdrawn) { this.#replace(withdrawnEntry(entry, withdrawal)); return 'already-withdrawn'; }",
    ],
  ],
  [TOGETHER]: [
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
  ],
  [BULK]: [
    ['records none', 'await this.#record(...withdrawalEntries(ids, withdrawal));', ''],
    ['records the first', 'withdrawalEntries(ids, withdrawal)', 'withdrawalEntries(ids, withdrawal).slice(0, 1)'],
    [
      'records them in another order',
      'withdrawalEntries(ids, withdrawal)',
      'withdrawalEntries(ids.toReversed(), withdrawal)',
    ],
    [
      'forgets the reason',
      'for (const entry of entries) this.#replace(withdrawnEntry(entry, withdrawal));',
      'for (const entry of entries) this.#replace(withdrawnEntry(entry, { ...withdrawal, reason: undefined }));',
    ],
    [
      'has the developer withdraw',
      'for (const entry of entries) this.#replace(withdrawnEntry(entry, withdrawal));',
      "for (const entry of entries) this.#replace(withdrawnEntry(entry, { ...withdrawal, by: 'developer' }));",
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
  [FIND_ANY]: [
    [
      'does not tell the licence',
      'automation: automationOf(entry),',
      'automation: { ...automationOf(entry), license: null },',
    ],
    ['tells another time', 'at: new Date(withdrawn.at)', 'at: new Date(entry.updatedAt)'],
    ['tells another author', 'at: new Date(withdrawn.at)', "at: new Date(withdrawn.at), by: 'operator'"],
    ['takes an empty reason for none', '...(reason !== undefined && { reason })', '...(reason && { reason })'],
    ['has an empty reason where there is none', '...(reason !== undefined && { reason })', "reason: reason ?? ''"],
    [
      'cuts reasons to 1,000 code units',
      '...(reason !== undefined && { reason })',
      '...(reason !== undefined && { reason: reason.slice(0, 1_000) })',
    ],
  ],
});

export const ARCHIVE: readonly Mutant[] = [...archive, ...shelf, ...entry];
