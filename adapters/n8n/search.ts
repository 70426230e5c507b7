import type { Automation, Category } from '../../application/index.js';
import { LIMIT_BOUNDS, PAGE_BOUNDS } from '../../domain/page.js';
import { Problem } from '../edge/problems/problem.js';
import { itemOf, PLATFORM, type Library } from './templates.js';

/** What the editor asks for. Its list does not go on at its end, so the first page has as many as there may be. */
const EDITOR_LIMIT = 20;
/** Services of an item. The editor shows five of them. */
const MAX_LISTED_NODES = 10;
/** Each costs a search of its own. */
const MAX_CATEGORIES = 10;

type Bounds = Readonly<Record<'lowest' | 'highest', number>>;

interface Part {
  readonly page: number;
  readonly limit: number;
}

/** Returns a page of templates, newest first. With several categories it is one of the newest 100 of them. */
export async function searchTemplates(library: Library, query: URLSearchParams, client: string): Promise<object> {
  const { catalogue, profiles } = library;
  const part = partOf(query);
  const q = wordsOf(library, query.get('search')?.trim());
  const find = (at: Part, category?: string) =>
    catalogue.find({ platform: PLATFORM, ...at, ...(q && { q }), ...(category !== undefined && { category }) }, client);

  const asked = query.get('category') ?? '';
  const chosen = asked === '' ? [] : categoriesIn(asked, await catalogue.categories());
  if (chosen.length > MAX_CATEGORIES)
    throw new Problem('invalid-query', `Choose at most ${MAX_CATEGORIES} categories.`);
  const { items, total } =
    asked === '' ? await find(part) : await inCategories(chosen, part, (at, category) => find(at, category.id));
  const workflows = await Promise.all(
    items.map(async (automation) => {
      const { nodes, ...item } = await itemOf(profiles, automation);
      return { ...item, nodes: nodes.slice(0, MAX_LISTED_NODES) };
    }),
  );
  return { totalWorkflows: total, workflows, filters: [] };
}

/** A page may be a fraction: the editor divides what it has by what it asks for. */
function partOf(query: URLSearchParams): Part {
  const page = within(PAGE_BOUNDS, Math.ceil(Number(query.get('page'))), 1);
  const limit = within(LIMIT_BOUNDS, Math.floor(Number(query.get('limit'))), EDITOR_LIMIT);
  return { page, limit: page === 1 && limit === EDITOR_LIMIT ? LIMIT_BOUNDS.highest : limit };
}

/** Returns a number within bounds; the usual one in place of none and of one that is too low. */
function within({ lowest, highest }: Bounds, value: number, usual: number): number {
  return value >= lowest ? Math.min(highest, value) : usual;
}

function wordsOf({ catalogue, hasSearch }: Library, words: string | undefined): string | undefined {
  if (words === undefined || words === '') return undefined;
  if (!hasSearch)
    throw new Problem('invalid-query', 'This marketplace has no search by words. Choose a category instead.');
  const [mistake] = catalogue.review({ q: words });
  if (mistake !== undefined) throw new Problem('invalid-query', `The search ${mistake.detail}.`);
  return words;
}

/**
 * Returns the categories in a text: names or ids with commas in between. A name may have commas, so the longest text
 * that is one counts. What is none is left out.
 */
function categoriesIn(text: string, known: readonly Category[]): readonly Category[] {
  const ids = known.map((category) => [category.id as string, category] as const);
  const byName = new Map([...ids, ...known.map((category) => [category.name, category] as const)]);
  const mostParts = Math.max(0, ...Array.from(byName.keys(), (name) => name.split(',').length));
  const parts = text.split(',');
  const found = new Set<Category>();
  for (let start = 0; start < parts.length;) {
    const nameOf = (length: number) => parts.slice(start, start + length).join(',');
    let length = mostParts;
    while (length > 1 && !byName.has(nameOf(length))) length -= 1;
    const category = byName.get(nameOf(length));
    if (category) found.add(category);
    start += Math.max(1, length);
  }
  return [...found];
}

interface Found {
  readonly items: readonly Automation[];
  readonly total: number;
}

async function inCategories(
  categories: readonly Category[],
  part: Part,
  find: (at: Part, category: Category) => Promise<Found>,
): Promise<Found> {
  const [only, another] = categories;
  if (only !== undefined && another === undefined) return find(part, only);
  const newest = { page: 1, limit: LIMIT_BOUNDS.highest };
  const found: Found[] = [];
  for (const category of categories) found.push(await find(newest, category));
  const items = found
    .flatMap((one) => one.items)
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, LIMIT_BOUNDS.highest);
  const start = (part.page - 1) * part.limit;
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return { items: items.slice(start, start + part.limit), total };
}
