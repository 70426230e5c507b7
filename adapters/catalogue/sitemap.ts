import type { Context } from '../edge/context.js';
import { noSuchPage } from '../web/views/error-page.js';
import { MAX_ADDRESSES, type ListedPart } from './listed-parts.js';
import type { CatalogueApp } from './app.js';
import { originOf, sendShared } from './respond.js';
import { element, escapeXml, XML_DECLARATION } from './xml.js';

const TYPE = 'application/xml; charset=utf-8';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The file of an index that has the lists; the others have automations. */
const LISTS = 0;
const NO_AUTOMATIONS: ListedPart = { lines: '', digest: '' };

/** Sends every address that search engines may know: in one file, or as an index of files when they are too many. */
export async function sendSitemap(ctx: Context, app: CatalogueApp): Promise<void> {
  const [{ total, revision }, lists] = await Promise.all([app.catalogue.size(), listsOf(app)]);
  if (lists.length + total > MAX_ADDRESSES) await sendIndex(ctx, app, Math.ceil(total / MAX_ADDRESSES));
  else await sendFile(ctx, app, lists, await app.listed.get(0, revision));
}

/** Sends one file of the index. */
export async function sendSitemapPart(ctx: Context, app: CatalogueApp, number: string): Promise<void> {
  const { total, revision } = await app.catalogue.size();
  const part = /^(?:0|[1-9]\d{0,4})$/.test(number) ? Number(number) : Infinity;
  if (part > Math.ceil(total / MAX_ADDRESSES)) noSuchPage();
  if (part === LISTS) await sendFile(ctx, app, await listsOf(app), NO_AUTOMATIONS);
  else await sendFile(ctx, app, [], await app.listed.get(part - 1, revision));
}

/** Returns the paths of the catalogue and of its categories. */
async function listsOf({ addresses, catalogue }: CatalogueApp): Promise<readonly string[]> {
  const categories = (await catalogue.categories()).filter(({ automationCount }) => automationCount > 0);
  return [addresses.catalogue, ...categories.map(({ id }) => addresses.category(id))];
}

function sendIndex(ctx: Context, app: CatalogueApp, parts: number): Promise<void> {
  const origin = originOf(ctx, app);
  return sendShared(ctx, app, TYPE, { origin, parts }, () => {
    const files = Array.from({ length: parts + 1 }, (_, part) => {
      return `<sitemap>${element('loc', origin + app.addresses.sitemapPart(part))}</sitemap>`;
    });
    return `${XML_DECLARATION}<sitemapindex ${NAMESPACE}>\n${files.join('\n')}\n</sitemapindex>\n`;
  });
}

function sendFile(
  ctx: Context,
  app: CatalogueApp,
  lists: readonly string[],
  { lines, digest }: ListedPart,
): Promise<void> {
  const origin = originOf(ctx, app);
  return sendShared(ctx, app, TYPE, { origin, lists, digest }, () => {
    const start = escapeXml(`${origin}${app.addresses.catalogue}/`);
    const automations = lines.replace(/^(\S+) (\S+)$/gm, (_, id: string, changed: string) => {
      return `<url><loc>${start}${id}</loc><lastmod>${changed}</lastmod></url>`;
    });
    const others = lists.map((path) => `<url>${element('loc', origin + path)}</url>\n`).join('');
    return `${XML_DECLARATION}<urlset ${NAMESPACE}>\n${others}${automations}</urlset>\n`;
  });
}
