import type { AutomationId } from '../../domain/automation.js';
import { unknownAfter } from '../../domain/page.js';
import type { AutomationPage, AutomationQuery } from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { isKept, PageCache, type NamedPage } from '../storage/page-cache.js';
import { automationOf, CONTENT, SUMMARY, summaryOf, uuid, type AutomationDocument } from './automation-documents.js';
import { AUTOMATIONS } from './collections.js';
import { reading } from './commands.js';
import type { CountedList, ListState } from './counted-list.js';
import type { Snapshot } from './snapshot.js';

/** Where a page starts: below this number, without the first ones. */
interface Start {
  readonly below: number;
  readonly skip: number;
}

/** What the counts tell of a page. */
interface Counted extends Pick<NamedPage, 'revision' | 'total' | 'categoryCounts'> {
  /** Undefined past the end, and with `after`. */
  readonly start: Start | undefined;
}

/** Pages of what is on sale: counts and items are of one moment. */
export class MongoAutomationPages {
  readonly #cache = new PageCache();

  constructor(private readonly counted: CountedList) {}

  list(wanted: AutomationQuery): Promise<AutomationPage> {
    return reading(async (signal) => {
      const { snapshot, counted } = await this.counted.read((state) => ({
        snapshot: state.snapshot,
        counted: countedOf(wanted, state),
      }));
      if (!isKept(wanted)) return read(wanted, counted, snapshot, signal);
      const kept = this.#cache.find(counted.revision, wanted);
      return kept ?? this.#cache.keep(wanted, await read(wanted, counted, snapshot, signal));
    });
  }
}

function countedOf({ page, category, countCategories }: AutomationQuery, { revision, counts }: ListState): Counted {
  const place = 'after' in page ? undefined : counts.locate((page.number - 1) * page.limit, category);
  return {
    revision,
    total: counts.total(category),
    start: place && { below: (place.block + 1) * BLOCK_SIZE, skip: place.skip },
    ...(countCategories === true && { categoryCounts: counts.totals() }),
  };
}

async function read(
  { page, category, whole }: AutomationQuery,
  { start: position, ...counted }: Counted,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<NamedPage> {
  const start = 'after' in page ? await startAfter(page.after, snapshot, signal) : position;
  const filter = { on_sale: true, ...(category && { category_id: category }), seq: { $lt: start?.below } };
  const projection = whole === true ? CONTENT : SUMMARY;
  const part = { filter, sort: { seq: -1 }, skip: start?.skip, limit: page.limit, projection };
  const found = start ? await snapshot.find<AutomationDocument>(AUTOMATIONS, part, signal) : [];
  return {
    ...counted,
    items: found.map(summaryOf),
    ...(whole === true && { automations: found.map(automationOf) }),
  };
}

async function startAfter(id: AutomationId, snapshot: Snapshot, signal: AbortSignal): Promise<Start> {
  const query = { filter: { _id: uuid(id) }, projection: { seq: 1 }, limit: 1 };
  const [known] = await snapshot.find<Pick<AutomationDocument, 'seq'>>(AUTOMATIONS, query, signal);
  if (known === undefined) throw unknownAfter();
  return { below: known.seq, skip: 0 };
}
