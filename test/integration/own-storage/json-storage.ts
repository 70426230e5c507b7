import { join } from 'node:path';
import type { AutomationId, Category, PrepareOptions, Storage, Withdrawal } from '../../../application/index.js';
import * as rules from '../../../adapters/storage/index.js';
import { developersIn, keysIn, sessionsIn } from './json-accounts.js';
import { JsonFile, remove, replace, type Row } from './json-file.js';

const isOnSale = ({ withdrawn }: Row) => withdrawn === undefined;
const archived = ({ automation, withdrawn }: Row) => ({ automation, ...(withdrawn && { withdrawn }) });
const withdrawal = ({ at, by, reason }: Pick<Withdrawal, 'at' | 'by' | 'reason'>) => ({
  withdrawn: { at, by, ...(reason !== undefined && { reason }) },
});

function fileOf(id: AutomationId, content: Uint8Array) {
  return { id, content: Buffer.from(content).toString('base64') };
}

function countsOf(automations: readonly Row[]): ReadonlyMap<Category['id'], number> {
  const counts = new Map<Category['id'], number>();
  for (const { automation } of automations.filter(isOnSale))
    counts.set(automation.categoryId, (counts.get(automation.categoryId) ?? 0) + 1);
  return counts;
}

/** The market and its archive. An entry of the audit is stored in the same change as what it tells of. */
function automationsIn(file: JsonFile): Storage['automations'] & Storage['archive'] {
  const named = (id: string) => (row: Row) => row.automation.id === id;
  return {
    add: (offers) =>
      file.change(({ record, automations, files, audit }) => {
        const holders = automations.flatMap((row) => {
          const { automation, idempotencyKey: key } = row;
          return key === undefined ? [] : [[rules.holderName(automation.developerId, key), row] as const];
        });
        const takenIds = new Set(automations.map(({ automation }) => automation.id));
        const context = { currency: record?.currency, takenIds, holders: new Map(holders) };
        const { outcomes, released, inserts } = rules.planAdd(offers, context);
        for (const id of released) replace(automations, named(id), archived);
        for (const { auditEntry, fileContent, ...row } of inserts) {
          automations.push(row);
          if (fileContent) files.push(fileOf(row.automation.id, fileContent));
          if (auditEntry) audit.push(auditEntry);
        }
        return outcomes;
      }),
    find: (id) => file.read(({ automations }) => automations.filter(isOnSale).find(named(id))?.automation),
    readFile: async (id) => {
      const found = await file.read(({ files }) => files.find((one) => one.id === id));
      return found && Buffer.from(found.content, 'base64');
    },
    list: ({ page, category, whole, countCategories }) =>
      file.read(({ automations }) => {
        const isMeant = (row: Row) =>
          isOnSale(row) && (category === undefined || row.automation.categoryId === category);
        const latest = automations.toReversed();
        const known = 'after' in page ? latest.findIndex(named(page.after)) : -1;
        if ('after' in page && known < 0) throw rules.unknownAfter();
        const skip = 'after' in page ? 0 : (page.number - 1) * page.limit;
        const rows = latest.slice(known + 1).filter(isMeant);
        const items = rows.slice(skip, skip + page.limit).map(({ automation }) => automation);
        return {
          items: items.map(({ id, title, price }) => ({ id, title, price })),
          total: automations.filter(isMeant).length,
          ...(whole === true && { automations: items }),
          ...(countCategories === true && { categoryCounts: countsOf(automations) }),
        };
      }),
    countByCategory: () => file.read(({ automations }) => countsOf(automations)),
    revise: ({ automation, basedOn, fileContent, auditEntry }) =>
      file.change(({ record, automations, files, audit }) => {
        const { currency = automation.price.currency } = record ?? {};
        if (automation.price.currency !== currency) return { outcome: 'other-currency', currency };
        const current = automations.filter(isOnSale).find(named(automation.id))?.automation;
        if (current === undefined) return { outcome: 'unknown' };
        if (current.updatedAt.getTime() !== basedOn.getTime()) return { outcome: 'conflict', automation: current };
        const { id, developerId, createdAt } = current;
        replace(automations, named(id), (row) => ({
          ...row,
          automation: { ...automation, id, developerId, createdAt },
        }));
        if (fileContent || automation.file === null) remove(files, (one) => one.id === id);
        if (fileContent) files.push(fileOf(id, fileContent));
        if (auditEntry) audit.push(auditEntry);
        return { outcome: 'revised' };
      }),
    withdraw: (id, { developerId, auditEntry, ...rest }) =>
      file.change(({ automations, files, audit }) => {
        const row = automations.find(named(id));
        const isOther = developerId !== undefined && developerId !== row?.automation.developerId;
        if (row === undefined || isOther) return 'unknown';
        if (!isOnSale(row)) return 'already-withdrawn';
        replace(automations, named(id), () => ({ ...row, ...withdrawal(rest) }));
        remove(files, (one) => one.id === id);
        if (auditEntry) audit.push(auditEntry);
        return 'withdrawn';
      }),
    withdrawAll: (bulk) =>
      file.change(({ automations, files, audit }) => {
        const own = automations.filter((row) => isOnSale(row) && row.automation.developerId === bulk.developerId);
        const ids = own.slice(0, bulk.entryIds.length).map(({ automation }) => automation.id);
        for (const id of ids) replace(automations, named(id), (row) => ({ ...row, ...withdrawal(bulk) }));
        remove(files, ({ id }) => ids.includes(id));
        audit.push(...rules.withdrawalEntries(ids, bulk));
        return ids;
      }),
    freeIdempotencyKeys: (asOf) =>
      file.change(({ automations }) => {
        const free = automations.filter(({ idempotencyKeyUntil: until }) => until !== undefined && until <= asOf);
        for (const { automation } of free) replace(automations, named(automation.id), archived);
        return free.length;
      }),
    scan: ({ developerId, status, order, after, limit }) =>
      file.read(({ automations }) => {
        const isOwn = (row: Row) => developerId === undefined || row.automation.developerId === developerId;
        const isMeant = (row: Row) => status === undefined || isOnSale(row) === (status === 'on-sale');
        const own = automations.filter(isOwn);
        if (order === 'newest-first') own.reverse();
        const known = own.findIndex((row) => row.automation.id === after);
        if (after !== undefined && known < 0) return [];
        return own
          .slice(known + 1)
          .filter(isMeant)
          .slice(0, limit)
          .map(archived);
      }),
    findAny: (id) => file.read(({ automations }) => automations.filter(named(id)).map(archived)[0]),
  };
}

function categoriesIn(file: JsonFile): Storage['categories'] {
  return {
    list: () => file.read(({ categories }) => categories),
    find: (id) => file.read(({ categories }) => categories.find((category) => category.id === id)),
    save: (saved) =>
      file.change(({ categories }) => {
        const before = categories.length;
        for (const category of saved) {
          const earlier = replace(
            categories,
            ({ id }) => id === category.id,
            () => category,
          );
          if (earlier === undefined) categories.push(category);
        }
        return categories.length - before;
      }),
    remove: (id) =>
      file.change(({ categories }) => {
        const at = categories.findIndex((category) => category.id === id);
        if (at >= 0) categories.splice(at, 1);
        return at >= 0;
      }),
  };
}

function auditLogIn(file: JsonFile): Storage['auditLog'] {
  return {
    append: (entries) =>
      file.change(({ audit }) => {
        for (const entry of entries) if (!audit.some(({ id }) => id === entry.id)) audit.push(entry);
      }),
    list: ({ developerId, before, after, limit }) =>
      file.read(({ audit }) => {
        const found = audit.filter(
          ({ id, developerId: owner }) =>
            (developerId === undefined || owner === developerId) &&
            (before === undefined || id < before) &&
            (after === undefined || id > after),
        );
        found.sort((one, other) => (one.id < other.id === (after === undefined) ? 1 : -1));
        return found.slice(0, limit);
      }),
  };
}

/** Hands copies to the functions of a port: the caller may change later what it handed in. */
function copying<Port extends object>(port: Port): Port {
  const calls = Object.entries(port) as [string, (...given: readonly unknown[]) => unknown][];
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...given: readonly unknown[]) => call(...structuredClone(given))]),
  ) as Port;
}

/**
 * Returns the storage in this file. It has no search and counts at each list: the service finds in it by reading
 * everything.
 */
export function jsonStorage(path: string): Storage {
  const file = new JsonFile(path);
  let isClosed = false;
  const open = <Port extends object>(port: Port): Port => rules.untilClosed(copying(port), () => isClosed);
  const automations = open(automationsIn(file));
  return {
    supports: { search: false, deepPages: false },
    automations,
    archive: automations,
    categories: open(categoriesIn(file)),
    keys: open(keysIn(file)),
    developers: open(developersIn(file)),
    sessions: open(sessionsIn(file)),
    auditLog: open(auditLogIn(file)),
    recordedCurrency: () => file.recordedCurrency,
    ...open({
      prepare: (options: PrepareOptions) =>
        file.change((data) => (data.record = rules.recordFor(data.record, options))),
      ping: async () => 'ready' as const,
      check: async () => [],
    }),
    close: async () => void (isClosed = true),
  };
}

/** Makes `STORAGE=./json-storage.js` run the service on `marketplace.json` in the folder of its data. */
export default ({ dataDir }: { readonly dataDir: string }): Storage => jsonStorage(join(dataDir, 'marketplace.json'));
