import { mutantsOf, type Mutant } from './mutant.js';
import { ENTRIES } from './sentences.js';
import { HANDLE, OVERLAP } from './sentences.js';

const UPSERT = 'Stores the record, in place of one with its kind and id';
const CONSUMED = 'Whether and when that one was consumed stays';
const REPLACE = 'Stores the record in place of one with its kind and id that has the content `from`';
const OTHER = 'Returns false, and changes nothing, when there is no such record or it has another content';
const REPLACED_ONCE = 'When raced with another content, one call returns true';
const FIND = 'Returns the record, field for field, expired and consumed ones included';
const LIST = 'Returns records of a kind, of one developer or of all, in descending order of their ids';
const BEFORE = 'With `before`, those whose id is lower';
const USED = 'Stores the time at which the record was used up, and returns true';
const UNUSED = 'Returns false, and changes nothing, when there is no such record';
const RACED = 'When raced, one call returns true';
const DESTROY = 'Removes the record, and returns whether there was one';
const BY_GRANT = 'Removes every record, of any kind, with this `grantId`';
const BY_CLIENT = 'Removes every record, of any kind, with this `clientId`';
const EXPIRED = 'Removes every record whose `expiresAt` is not after this time';

const KEY = 'return `${kind} ${id}`;';
const STORES =
  'this.#records.set(keyOf(record.kind, record.id), ' +
  'copyOfRecord({ ...given, ...(consumedAt && { consumedAt }) }));';
const IS_USED = 'if (record === undefined || record.consumedAt !== undefined)';
const GUARD = '?.content !== from) return false;';
const STORED = 'this.#store(record); await this.auditLog.append(entries); return true;';
const IS_REPLACED = `${GUARD} ${STORED}`;
const SECOND_IDS = [
  ['uid', 'Returns the record of this kind with this `uid`', 'record.kind === kind && record.uid === uid'],
  [
    'user code',
    'Returns the record of this kind with this `userCode`',
    'record.kind === kind && record.userCode === userCode',
  ],
] as const;

const secondIds = SECOND_IDS.flatMap(([name, promise, comparison]) =>
  mutantsOf('OAuth records', 'adapters/in-memory/oauth-records.js', {
    [promise]: [
      [`finds a ${name} of another kind`, comparison, comparison.replace('record.kind === kind &&', '')],
      [`finds no expired one by its ${name}`, comparison, `!(record.expiresAt < new Date()) && ${comparison}`],
      [`finds by its id instead of its ${name}`, comparison, comparison.replace(/record\.(uid|userCode)/, 'record.id')],
      [
        `finds by a part of a ${name}`,
        comparison,
        comparison.replace(/record\.(uid|userCode) === (\w+)/, 'record.$1?.startsWith($2)'),
      ],
    ],
  }),
);

export const OAUTH_RECORDS: readonly Mutant[] = [
  ...secondIds,
  ...mutantsOf('OAuth records', 'domain/oauth-record.js', {
    [HANDLE]: [
      ['shares when a record expires', 'expiresAt: new Date(expiresAt)', 'expiresAt'],
      ['shares when a record was consumed', 'consumedAt: new Date(consumedAt)', 'consumedAt'],
    ],
  }),
  ...mutantsOf('OAuth records', 'adapters/in-memory/oauth-records.js', {
    [ENTRIES]: [
      ['forgets the entry of a removal', 'if (isThere) await this.auditLog.append(entries);', ''],
      ['stores the entry of no removal', 'if (isThere) await', 'await'],
    ],
    'The entries of the audit are stored with the first lot': [
      ['forgets the entries of what is revoked', 'if (removed > 0) await this.auditLog.append(entries);', ''],
    ],
    'Stores the record as `upsert` does, and returns true': [
      [
        'tells that it has no room',
        'this.#store(record); await this.auditLog.append(entries); return true; } async replace',
        'this.#store(record); await this.auditLog.append(entries); return false; } async replace',
      ],
    ],
    'Returns false, and stores nothing, when its developer has `max` records': [
      ['stores one too many', '.length >= max', '.length > max'],
      [
        'counts records of every kind',
        'record.kind === kind && record.developerId === developerId',
        'record.developerId === developerId',
      ],
      ['stores it all the same', '>= max) return false;', '>= max) { this.#store(record); return false; }'],
    ],
    [REPLACE]: [
      ['says that it replaced one, and does not', IS_REPLACED, `${GUARD} return true;`],
      ['says that it replaced none, and does', IS_REPLACED, `${GUARD} this.#store(record); return false;`],
    ],
    [OTHER]: [
      ['stores one that is not there', '?.content !== from)', '?.content === null)'],
      ['replaces any content', '?.content !== from)', ' === undefined)'],
    ],
    [REPLACED_ONCE]: [['looks before it waits', IS_REPLACED, `${GUARD} await Promise.resolve(); ${STORED}`]],
    [UPSERT]: [
      [
        'keeps the earlier fields',
        '{ ...given, ...(cons',
        '{ ...this.#records.get(keyOf(record.kind, record.id)), ...given, ...(cons',
      ],
      ['takes one id for all kinds', KEY, 'return id;'],
      ['minds no case of a kind', KEY, 'return `${kind.toLowerCase()} ${id}`;'],
      [
        'keeps the first',
        'const { consumedAt: _ignored, ...given } = record;',
        'if (this.#records.has(keyOf(record.kind, record.id))) return; ' +
          'const { consumedAt: _ignored, ...given } = record;',
      ],
    ],
    [CONSUMED]: [
      ['forgets that it was consumed', '...(consumedAt && { consumedAt })', ''],
      ['stores when it says it was consumed', '({ ...given,', '({ ...record,'],
      [
        'stores that it was consumed where the record says so',
        '(record.kind, record.id))?.consumedAt;',
        '(record.kind, record.id))?.consumedAt ?? _ignored;',
      ],
      [
        'takes the later time',
        '(record.kind, record.id))?.consumedAt;',
        '(record.kind, record.id))?.consumedAt && ' +
          '(_ignored ?? this.#records.get(keyOf(record.kind, record.id)).consumedAt);',
      ],
    ],
    [FIND]: [
      ['minds no case of an id', KEY, 'return `${kind} ${id.toLowerCase()}`;'],
      ['cuts long ids', KEY, 'return `${kind} ${id.slice(0, 254)}`;'],
      [
        'hides an expired one',
        'const record = this.#records.get(keyOf(kind, id)); return record &&',
        'const record = this.#records.get(keyOf(kind, id)); return record && !(record.expiresAt < new Date()) &&',
      ],
      [
        'hides a consumed one',
        'const record = this.#records.get(keyOf(kind, id)); return record &&',
        'const record = this.#records.get(keyOf(kind, id)); return !record?.consumedAt && record &&',
      ],
      [
        'writes the content in another way',
        '({ ...given,',
        '({ ...given, content: JSON.stringify(JSON.parse(given.content)),',
      ],
      ['cuts the content', '({ ...given,', '({ ...given, content: given.content.slice(0, 50_000),'],
      ['forgets the client', '({ ...given,', '({ ...given, clientId: undefined,'],
    ],
    [LIST]: [
      ['lists every kind', 'record.kind === kind && (dev', '(dev'],
      ["lists everybody's", '(developerId ?? record.developerId) === record.developerId', 'true'],
      [
        'lists those of no developer',
        '(developerId ?? record.developerId) === record.developerId',
        'developerId === record.developerId',
      ],
      ['lists all for an empty developer', '(developerId ?? record', '(developerId || record'],
      ['lists the lowest first', 'one.id < other.id ? 1 : -1', 'one.id < other.id ? -1 : 1'],
      [
        'lists in the order in which they came',
        '.toSorted((one, other) => (one.id < other.id ? 1 : -1))',
        '.toReversed()',
      ],
      ['lists in the order of a language', 'one.id < other.id ? 1 : -1', "other.id.localeCompare(one.id, 'en')"],
      ['lists one more', '.slice(0, limit)', '.slice(0, limit + 1)'],
      ['lists 500 at most', '.slice(0, limit)', '.slice(0, Math.min(limit, 500))'],
    ],
    [BEFORE]: [
      ['repeats the last one', 'id < before', 'id <= before'],
      ['lists what is higher', 'id < before', 'id > before'],
      ['begins again', 'before === undefined || id < before', 'true'],
      [
        'lists none before an unknown one',
        'before === undefined || id < before',
        'before === undefined || (this.#records.has(keyOf(kind, before)) && id < before)',
      ],
    ],
    'Returns how many records of a kind a developer has': [
      [
        'counts every kind',
        'record.kind === kind && record.developerId === developerId',
        'record.developerId === developerId',
      ],
      ["counts everybody's", 'record.kind === kind && record.developerId === developerId', 'record.kind === kind'],
      [
        'counts no expired ones',
        'record.kind === kind && record.developerId === developerId',
        'record.kind === kind && record.developerId === developerId && !(record.expiresAt < new Date())',
      ],
      [
        'counts no consumed ones',
        'record.kind === kind && record.developerId === developerId',
        'record.kind === kind && record.developerId === developerId && !record.consumedAt',
      ],
    ],
    [USED]: [
      [
        'stores no time',
        'copyOfRecord({ ...record, consumedAt: at })',
        'copyOfRecord({ ...record, consumedAt: new Date() })',
      ],
      ['takes a first moment of 1970 for none', IS_USED, 'if (record === undefined || +(record.consumedAt ?? 0) > 0)'],
      ['returns nothing', 'consumedAt: at })); return true;', 'consumedAt: at }));'],
      ['consumes no expired one', IS_USED, `${IS_USED.slice(0, -1)} || record.expiresAt < new Date())`],
    ],
    [UNUSED]: [
      ['consumes again', IS_USED, 'if (record === undefined)'],
      [
        'returns false for a second time, and stores its time',
        IS_USED,
        'if (record?.consumedAt) record.consumedAt.setTime(+at); ' + IS_USED,
      ],
      [
        'consumes what is not there',
        IS_USED,
        'if (record === undefined) this.#records.set(keyOf(kind, id), { kind, id, content: "0" }); ' + IS_USED,
      ],
    ],
    [RACED]: [
      ['waits between looking and consuming', IS_USED, `await undefined; ${IS_USED}`],
      [
        'waits between looking and destroying',
        'const isThere = this.#records.delete(keyOf(kind, id));',
        'const isThere = this.#records.has(keyOf(kind, id)); await undefined; ' +
          'this.#records.delete(keyOf(kind, id));',
      ],
    ],
    [DESTROY]: [
      [
        'answers true for none',
        'const isThere = this.#records.delete(keyOf(kind, id));',
        'this.#records.delete(keyOf(kind, id)); const isThere = true;',
      ],
      [
        'destroys nothing',
        'const isThere = this.#records.delete(keyOf(kind, id));',
        'const isThere = this.#records.has(keyOf(kind, id));',
      ],
      [
        'spares a consumed one',
        'const isThere = this.#records.delete(keyOf(kind, id));',
        'const isThere = !this.#records.get(keyOf(kind, id))?.consumedAt && this.#records.delete(keyOf(kind, id));',
      ],
    ],
    [BY_GRANT]: [
      ['leaves one kind', 'record.grantId === grantId', "record.kind !== 'access-token' && record.grantId === grantId"],
      ['revokes by the client', 'record.grantId === grantId', 'record.clientId === grantId'],
      ['takes an empty grant for none', 'record.grantId === grantId', "(record.grantId ?? '') === grantId"],
      ['leaves consumed ones', 'record.grantId === grantId', '!record.consumedAt && record.grantId === grantId'],
      [
        'leaves expired ones',
        'record.grantId === grantId',
        '!(record.expiresAt < new Date()) && record.grantId === grantId',
      ],
      ['takes a part of a grant for it', 'record.grantId === grantId', 'record.grantId?.startsWith(grantId)'],
    ],
    [BY_CLIENT]: [
      ['leaves a kind', 'record.clientId === clientId', "record.kind !== 'app' && record.clientId === clientId"],
      ['revokes by the consent', 'record.clientId === clientId', 'record.grantId === clientId'],
      ['revokes everything', 'record.clientId === clientId', 'true'],
      [
        'revokes the app itself by its id',
        'record.clientId === clientId',
        'record.kind === clientId || record.clientId === clientId',
      ],
    ],
    [EXPIRED]: [
      ['spares what expires at this very time', 'expiresAt <= asOf', 'expiresAt < asOf'],
      ['removes what does not expire', 'expiresAt !== undefined && expiresAt <= asOf', '!(expiresAt > asOf)'],
      ['removes what expires later', 'expiresAt !== undefined && expiresAt <= asOf', 'expiresAt !== undefined'],
      ['removes a lot alone', 'for (const [key] of removed)', 'for (const [key] of removed.splice(200) && removed)'],
      ['answers how many are left', 'return removed.length;', 'return this.#records.size;'],
    ],
    [OVERLAP]: [['takes a use back by another content', STORES, `queueMicrotask(() => { ${STORES} });`]],
    [HANDLE]: [
      [
        'hands out what it keeps',
        'const record = this.#records.get(keyOf(kind, id)); return record && copyOfRecord(record);',
        'return this.#records.get(keyOf(kind, id));',
      ],
      [
        'hands out what it keeps by a second id',
        '.find(matches); return record && copyOfRecord(record);',
        '.find(matches); return record;',
      ],
      ['lists what it keeps', '.map(copyOfRecord)', ''],
      [
        'keeps what it was given',
        'copyOfRecord({ ...given, ...(consumedAt && { consumedAt }) })',
        '{ ...given, ...(consumedAt && { consumedAt }) }',
      ],
      [
        'keeps the time that it was given',
        'copyOfRecord({ ...record, consumedAt: at })',
        '{ ...record, consumedAt: at }',
      ],
    ],
  }),
];
