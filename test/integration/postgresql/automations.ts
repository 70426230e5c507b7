import {
  holderName,
  planAdd,
  type AddContext,
  type AddPlan,
  type ArchivedAutomation,
  type AuditEntry,
  type Automation,
  type AutomationArchive,
  type AutomationId,
  type AutomationPage,
  type AutomationRepository,
  type CategoryId,
  type KeyHolder,
  type NewAutomation,
} from 'automation-marketplace';
import { appendEntries } from './audit-log.js';
import { withoutNulls, type Database, type Query } from './database.js';

const AUTOMATION = 'id, title, description, price, "categoryId", "developerId", "createdAt", "updatedAt"';
const SELECT = `SELECT ${AUTOMATION}, "withdrawnAt", reason FROM automations`;
const KEY = '"idempotencyKey", "idempotencyKeyUntil", "requestHash"';
const SELECT_CONTEXT = `
  SELECT ${AUTOMATION}, ${KEY} FROM automations WHERE id = ANY ($1)
  UNION ALL SELECT ${AUTOMATION}, ${KEY} FROM automations JOIN unnest($2::text[], $3::text[]) AS wanted (developer, key)
    ON "developerId" = wanted.developer AND "idempotencyKey" = wanted.key`;
const INSERT = `
  INSERT INTO automations (${AUTOMATION}, ${KEY}) SELECT ${AUTOMATION}, ${KEY}
  FROM json_populate_recordset(null::automations, $1) WITH ORDINALITY ORDER BY ordinality`;
const FREE_KEYS = 'UPDATE automations SET "idempotencyKey" = NULL, "idempotencyKeyUntil" = NULL, "requestHash" = NULL';
const MATCHING = 'FROM automations WHERE "onSale" AND ($1::text IS NULL OR "categoryId" = $1)';
/** One statement sees one state of the store. */
const LIST = `
  SELECT (SELECT count(*)::int ${MATCHING}) AS total, (
    SELECT coalesce(json_agg(json_build_object('id', id, 'title', title, 'price', price) ORDER BY number DESC), '[]')
    FROM (SELECT number, id, title, price ${MATCHING} ORDER BY number DESC LIMIT $2 OFFSET $3) AS page
  ) AS items`;
const COUNT = 'SELECT "categoryId" AS id, count(*)::int FROM automations WHERE "onSale" GROUP BY "categoryId"';
const REVISE = `
  UPDATE automations SET title = $3, description = $4, price = $5, "categoryId" = $6, "updatedAt" = $7
  WHERE id = $1 AND "updatedAt" = $2 AND "onSale" RETURNING id`;
const WITHDRAW = `
  UPDATE automations SET "withdrawnAt" = $2, reason = $3
  WHERE id = $1 AND "onSale" AND ($4::text IS NULL OR "developerId" = $4) RETURNING id`;
const scanOf = (comparison: '<' | '>', direction: 'ASC' | 'DESC') => `
  ${SELECT} WHERE ($1::text IS NULL OR "developerId" = $1) AND ($2::boolean IS NULL OR "onSale" = $2) AND
    ($3::text IS NULL OR number ${comparison}
      (SELECT number FROM automations WHERE id = $3 AND ($1::text IS NULL OR "developerId" = $1)))
  ORDER BY number ${direction} LIMIT $4`;
const SCAN = { 'newest-first': scanOf('<', 'DESC'), 'oldest-first': scanOf('>', 'ASC') };

/** Acts when the sequence is below the highest number, as after a restore of the table alone. */
const ifBehind = (act: string) =>
  `SELECT ${act} FROM automations HAVING max(number) > (SELECT last_value FROM automations_number_seq)`;
export const FIND_BEHIND = ifBehind('max(number)');
export const ADVANCE = ifBehind("setval('automations_number_seq', max(number))");

interface ArchivedRow extends Automation {
  readonly withdrawnAt: Date | null;
  readonly reason: string | null;
}

interface ContextRow extends Automation {
  readonly idempotencyKey: string | null;
  readonly idempotencyKeyUntil: Date | null;
  readonly requestHash: string | null;
}

/** What is on sale and what was withdrawn: one table, in the order of its `number`. */
export function postgresAutomations(database: Database): AutomationRepository & AutomationArchive {
  const scan = async (text: string, values: readonly unknown[]): Promise<readonly ArchivedAutomation[]> =>
    (await database.read<ArchivedRow>(text, values)).map(archivedOf);
  const findAny = async (id: AutomationId) => (await scan(`${SELECT} WHERE id = $1`, [id]))[0];
  const find = async (id: AutomationId) => (await scan(`${SELECT} WHERE id = $1 AND "onSale"`, [id]))[0]?.automation;

  return {
    find,
    findAny,
    // The unique indexes decide between writers. The one that comes second looks up and plans again.
    add(offers) {
      const addOnce = async (query: Query, attempt: number) => {
        if (attempt > 1) await query(ADVANCE);
        const plan = planAdd(offers, await contextOf(query, offers));
        if (plan.inserts.length > 0) await store(query, plan);
        return plan.outcomes;
      };
      return database.write(addOnce, /^(40|23505)/);
    },
    async list({ page: { number, limit }, category }) {
      const [page] = await database.read<AutomationPage>(LIST, [category, limit, (number - 1) * limit]);
      return page ?? { items: [], total: 0 };
    },
    async countByCategory() {
      const counts = await database.read<{ readonly id: CategoryId; readonly count: number }>(COUNT);
      return new Map(counts.map(({ id, count }) => [id, count]));
    },
    async revise({ automation: { id, title, description, price, categoryId, updatedAt }, basedOn, auditEntry }) {
      const values = [id, basedOn, title, description, price, categoryId, updatedAt];
      if (await changeOne(database, REVISE, values, auditEntry)) return { outcome: 'revised' };
      const automation = await find(id);
      return automation === undefined ? { outcome: 'unknown' } : { outcome: 'conflict', automation };
    },
    async withdraw(id, { at, reason, developerId, auditEntry }) {
      if (await changeOne(database, WITHDRAW, [id, at, reason, developerId], auditEntry)) return 'withdrawn';
      const owner = (await findAny(id))?.automation.developerId;
      return owner !== undefined && owner === (developerId ?? owner) ? 'already-withdrawn' : 'unknown';
    },
    async freeIdempotencyKeys(asOf) {
      return (await database.change(`${FREE_KEYS} WHERE "idempotencyKeyUntil" <= $1 RETURNING id`, [asOf])).length;
    },
    scan({ developerId, status, order, after, limit }) {
      return scan(SCAN[order], [developerId, status && status === 'on-sale', after, limit]);
    },
    // Each entry is in the audit log as soon as its change is stored.
    pendingAudit: () => Promise.resolve([]),
    clearAudit: () => Promise.resolve(),
  };
}

async function contextOf(query: Query, offers: readonly NewAutomation[]): Promise<AddContext> {
  const ids = offers.map(({ automation }) => automation.id);
  const developers = offers.map(({ automation }) => automation.developerId);
  const rows = await query<ContextRow>(SELECT_CONTEXT, [ids, developers, offers.map((one) => one.idempotencyKey)]);
  return { takenIds: new Set(rows.map(({ id }) => id)), holders: new Map(rows.flatMap(holderOf)) };
}

async function store(query: Query, { released, inserts }: AddPlan): Promise<void> {
  const rows = inserts.map(({ automation, ...offer }) => ({ ...automation, ...offer }));
  if (released.length > 0) await query(`${FREE_KEYS} WHERE id = ANY ($1)`, [released]);
  await query(INSERT, [JSON.stringify(rows)]);
  await appendEntries(query, inserts.flatMap(({ auditEntry }) => auditEntry ?? []));
}

/** Changes one automation and stores the entry of the change. Returns false when nothing changed. */
function changeOne(database: Database, text: string, values: readonly unknown[], entry?: AuditEntry): Promise<boolean> {
  return database.write(async (query) => {
    const [changed] = await query(text, values);
    if (changed !== undefined && entry !== undefined) await appendEntries(query, [entry]);
    return changed !== undefined;
  });
}

function archivedOf({ withdrawnAt: at, reason, ...automation }: ArchivedRow): ArchivedAutomation {
  return at === null ? { automation } : { automation, withdrawn: { at, ...(reason !== null && { reason }) } };
}

function holderOf(row: ContextRow): readonly (readonly [string, KeyHolder])[] {
  const { idempotencyKey, idempotencyKeyUntil, requestHash, ...automation } = row;
  if (idempotencyKey === null) return [];
  const holder = withoutNulls<KeyHolder>({ automation, idempotencyKeyUntil, requestHash });
  return [[holderName(automation.developerId, idempotencyKey), holder]];
}
