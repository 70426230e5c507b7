import { Readable } from 'node:stream';
import { entityTag } from '../http/conditional.js';
import type { Context } from '../http/context.js';
import { notFound } from '../http/middleware/problem-documents.js';
import type { Shop } from './options.js';
import { absolute } from './respond.js';
import { element, XML_DECLARATION } from './xml.js';

const TYPE = 'application/xml; charset=utf-8';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The limit of a file (https://www.sitemaps.org/protocol.html). */
const MAX_ADDRESSES = 50_000;

/** The file of an index that has the lists; the others have automations. */
const LISTS = 0;

/** Sends every address that search engines may know: in one file, or as an index of files when they are too many. */
export async function sendSitemap(ctx: Context, shop: Shop): Promise<void> {
  const [{ total, revision }, lists] = await Promise.all([shop.catalogue.size(), listsOf(ctx, shop)]);
  const isOneFile = lists.length + total <= MAX_ADDRESSES;
  const text = isOneFile ? urlset(ctx, shop, lists, 0) : [indexText(ctx, shop, Math.ceil(total / MAX_ADDRESSES))];
  sendText(ctx, shop, text, [revision, ...lists]);
}

/** Sends one file of the index. */
export async function sendSitemapPart(ctx: Context, shop: Shop, number: string): Promise<void> {
  const { total, revision } = await shop.catalogue.size();
  const part = /^(?:0|[1-9]\d{0,4})$/.test(number) ? Number(number) : Infinity;
  if (part > Math.ceil(total / MAX_ADDRESSES)) notFound();
  const lists = part === LISTS ? await listsOf(ctx, shop) : [];
  const start = part === LISTS ? undefined : (part - 1) * MAX_ADDRESSES;
  sendText(ctx, shop, urlset(ctx, shop, lists, start), [revision, ...lists]);
}

function indexText(ctx: Context, shop: Shop, parts: number): string {
  const files = Array.from({ length: parts + 1 }, (_, part) => {
    return `<sitemap>${element('loc', absolute(ctx, shop, shop.addresses.sitemapPart(part)))}</sitemap>`;
  });
  return `${XML_DECLARATION}<sitemapindex ${NAMESPACE}>\n${files.join('\n')}\n</sitemapindex>\n`;
}

/** Returns the entries of the catalogue and of its categories. */
async function listsOf(ctx: Context, shop: Shop): Promise<readonly string[]> {
  const { addresses, catalogue } = shop;
  const categories = (await catalogue.categories()).filter(({ automationCount }) => automationCount > 0);
  const paths = [addresses.catalogue, ...categories.map(({ id }) => addresses.category(id))];
  return paths.map((path) => entry(absolute(ctx, shop, path)));
}

/** Yields the text of a file: some entries, and those of the automations from a place on. */
async function* urlset(ctx: Context, shop: Shop, entries: readonly string[], start: number | undefined) {
  yield `${XML_DECLARATION}<urlset ${NAMESPACE}>\n${entries.join('')}`;
  const lots = start === undefined ? [] : shop.catalogue.part(start, MAX_ADDRESSES);
  for await (const lot of lots)
    yield lot.map(({ id, updatedAt }) => entry(absolute(ctx, shop, shop.addresses.automation(id)), updatedAt)).join('');
  yield '</urlset>\n';
}

function entry(address: string, changed?: Date): string {
  const time = changed === undefined ? '' : element('lastmod', changed.toISOString());
  return `<url>${element('loc', address)}${time}</url>\n`;
}

/**
 * Sends a long text as it is made. Where the store names its state, so does the entity tag; the name may come again in
 * another process.
 */
function sendText(
  ctx: Context,
  { processId }: Shop,
  text: Iterable<string> | AsyncIterable<string>,
  [revision, ...lists]: readonly (string | undefined)[],
): void {
  ctx.status = 200;
  ctx.set('Content-Type', TYPE);
  ctx.set('Cache-Control', 'public, no-cache');
  if (revision !== undefined) ctx.set('ETag', entityTag(JSON.stringify([processId, revision, ctx.path, lists])));
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = Readable.from(text);
}
