import { mutantsOf, type Mutant } from './mutant.js';
import { ENTRIES, HANDLE } from './sentences.js';

const REPEATED = 'Stores nothing, and returns `repeated`, when its account has an open one';
const REPORTED = 'Returns the automations that have open reports';
const LIST = 'Returns the reports of an automation';
const BELOW = 'With `before`, those whose id is lower';
const CLOSE = 'Closes every open report of an automation';
const NONE_OPEN = 'Where none is open, nothing changes';
const IS_REPEATED = 'open.some((one) => one.developerId === developerId)';
const STORE = 'this.#reports = [...this.#reports, copyOf(report)];';
const REFUSE = 'if (refusedFile !== undefined) this.#refused.add(refusedFile);';
const APPEND = 'await this.auditLog.append(entries); return closed;';
const CHANGED = '(meant.has(one) ? copyOf(change(one)) : one)';

const repository = mutantsOf('reports', 'adapters/in-memory/report-repository.js', {
  'Stores an open report': [
    [
      'cuts texts to 1,000 code units',
      STORE,
      STORE.replace('(report)', '({ ...report, text: report.text.slice(0, 1_000) })'),
    ],
    ['forgets who reports', STORE, STORE.replace('(report)', '({ ...report, developerId: undefined })')],
  ],
  [REPEATED]: [
    ['takes all of no account for one', 'developerId !== undefined && open.some', 'open.some'],
    [
      'knows repeated ones of every automation',
      IS_REPEATED,
      'this.#reports.some((one) => one.developerId === developerId)',
    ],
    ['stores a repeated one', IS_REPEATED, 'false'],
    ['stores one more than there may be', 'open.length >= MAX_OPEN_REPORTS', 'open.length > MAX_OPEN_REPORTS'],
    ['counts closed ones', 'one.automationId === automationId && isOpen(one))', 'one.automationId === automationId)'],
    ['waits between looking and storing', STORE, `await undefined; ${STORE}`],
  ],
  [REPORTED]: [
    [
      'lists those whose reports are closed',
      'isOpen(one) && isBefore(one.automationId, before)',
      'isBefore(one.automationId, before)',
    ],
    ['lists the oldest first', '(ordered).slice', '(ordered.reverse()).slice'],
  ],
  [LIST]: [
    ['lists those of all', 'one.automationId === automationId && isBefore(one.id, before)', 'isBefore(one.id, before)'],
    ['lists them as they came', 'ordered.slice', 'all.reverse().slice'],
    ['lists open ones alone', 'isBefore(one.id, before))', 'isBefore(one.id, before) && isOpen(one))'],
  ],
  [BELOW]: [
    ['repeats the last one', 'id < before', 'id <= before'],
    ['begins at the newest again', 'before === undefined || id < before', 'true'],
  ],
  [CLOSE]: [
    ['closes those of all', '(one) => one.automationId === id && isOpen(one)', '(one) => isOpen(one)'],
    ['refuses no file', REFUSE, ''],
    ['forgets the decision', 'closedAt: at, decision', 'closedAt: at'],
    ['closes the first 50', '(this.#reports.filter(isMeant))', '(this.#reports.filter(isMeant).slice(0, 50))'],
  ],
  [NONE_OPEN]: [
    ['decides again', '(one) => one.automationId === id && isOpen(one)', '(one) => one.automationId === id'],
    ['refuses the file all the same', 'if (closed === 0) return 0;', `${REFUSE} if (closed === 0) return 0;`],
  ],
  'When raced, each report is closed once': [
    ['tells each call the same', 'if (closed === 0) return 0;', 'if (closed === 0) return this.#reports.length;'],
  ],
  'Returns whether the file with this SHA-256 is refused': [
    ['knows one file', REFUSE, `if (refusedFile !== undefined) this.#refused.clear(); ${REFUSE}`],
    ['minds no case', 'this.#refused.has(sha256)', 'this.#refused.has(sha256.toLowerCase())'],
  ],
  'Removes every report that was closed at or before this time': [
    ['keeps the one of the very time', 'closedAt > asOf', 'closedAt >= asOf'],
    ['removes open ones', 'closedAt === undefined || closedAt > asOf', 'closedAt > asOf'],
  ],
  'Removes the address of every report of or before this time': [
    ['keeps the address of the very time', 'at <= asOf', 'at < asOf'],
    ['counts those without one', 'address !== undefined && at', 'at'],
    [
      'removes the account, too',
      '{ address: _removed, ...others }',
      '{ address: _removed, developerId: _too, ...others }',
    ],
  ],
  [ENTRIES]: [
    ['records no report', "await this.auditLog.append(entries); return 'stored';", "return 'stored';"],
    [
      'records a report that is not stored',
      'const { automationId, developerId } = report;',
      'await this.auditLog.append(entries); const { automationId, developerId } = report;',
    ],
    ['records no end', APPEND, 'return closed;'],
  ],
  [HANDLE]: [
    ['keeps what it was given', STORE, 'this.#reports = [...this.#reports, report];'],
    ['returns what it keeps', '.slice(0, limit).map(copyOf)', '.slice(0, limit)'],
    ['keeps the time of the end', CHANGED, '(meant.has(one) ? change(one) : one)'],
  ],
});

const groups = mutantsOf('reports', 'domain/report.js', {
  [REPORTED]: [
    ['counts one of each kind', 'count: kinds.length', 'count: new Set(kinds).size'],
    ['names every kind', 'REPORT_KINDS.filter((kind) => kinds.includes(kind))', 'REPORT_KINDS'],
  ],
});

export const REPORTS: readonly Mutant[] = [...repository, ...groups];
