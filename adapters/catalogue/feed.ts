import { setImmediate } from 'node:timers/promises';
import { newPage, type PublicDeveloper, type Category } from '../../application/index.js';
import type { Context } from '../edge/context.js';
import { mediaTypeOf } from '../../domain/file.js';
import { noSuchPage } from '../web/views/error-page.js';
import { markdownToHtml, markdownToText } from '../web/views/markdown.js';
import { atomText, type AtomEntry } from './atom.js';
import { isFiltered, stateIn } from './list-state.js';
import { toShown, type ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './app.js';
import { originOf, sendShared } from './respond.js';
import { TEXTS } from './texts.js';
import { clientOf } from './visitors.js';
import { escapeXml } from './xml.js';

const TYPE = 'application/atom+xml; charset=utf-8';
const FEED_SIZE = 50;
const MAX_SUMMARY_LENGTH = 300;
/** The contents of all entries. */
const MAX_CONTENT_BYTES = 1_000_000;

interface Facts {
  readonly origin: string;
  readonly category: Pick<Category, 'id' | 'name'> | undefined;
  readonly developer: PublicDeveloper | undefined;
  readonly shown: readonly ShownAutomation[];
}

/** The newest automations: of all, of a category, of a developer, or of both. There is none of a narrower list. */
export async function sendFeed(ctx: Context, app: CatalogueApp): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  if (isFiltered(stateIn(query))) noSuchPage();
  const [asked, slug] = [query.get('category') || undefined, query.get('developer') || undefined];
  const categories = await app.catalogue.categories();
  const found = asked === undefined ? undefined : (categories.find(({ id }) => id === asked) ?? noSuchPage());
  const category = found && { id: found.id, name: found.name };
  const developer = slug === undefined ? undefined : ((await app.profiles.find(slug)) ?? noSuchPage());
  const automations = await newest(app, category, developer, clientOf(ctx, app));
  const shown = await Promise.all(automations.map(toShown(app, categories)));
  const facts = { origin: originOf(ctx, app), category, developer, shown };
  await sendShared(ctx, app, TYPE, facts, () => feedText(app, facts));
}

async function newest(
  { catalogue }: CatalogueApp,
  category: Facts['category'],
  developer: Facts['developer'],
  client: string,
) {
  if (developer === undefined) return catalogue.newest(FEED_SIZE, category?.id);
  return (await catalogue.ofDeveloper(developer.id, newPage({ limit: FEED_SIZE }), category?.id, client)).items;
}

async function feedText(app: CatalogueApp, { origin, category, developer, shown }: Facts): Promise<string> {
  const { addresses } = app;
  return atomText({
    title: TEXTS.feedTitle(category?.name, developer?.name),
    address: origin + addresses.feed({ category: category?.id, developer: developer?.id }),
    page: origin + pageOf(app, category, developer),
    entries: await feedEntries(app, shown, origin),
  });
}

function pageOf({ addresses }: CatalogueApp, category: Facts['category'], developer: Facts['developer']): string {
  if (developer !== undefined) return addresses.developer(developer.id);
  return category === undefined ? addresses.catalogue : addresses.category(category.id);
}

/**
 * Returns the entries of a feed: with their contents until these are too many bytes, from there on with their summaries
 * alone. Between two entries other requests have their turn.
 */
async function feedEntries(
  { addresses }: Pick<CatalogueApp, 'addresses'>,
  shown: readonly ShownAutomation[],
  origin: string,
): Promise<readonly AtomEntry[]> {
  const entries: AtomEntry[] = [];
  let bytesLeft = MAX_CONTENT_BYTES;
  for (const { automation, developer, category } of shown) {
    const { id, title, description, url, license, file, createdAt, updatedAt } = automation;
    const download = file === null ? undefined : addresses.file(id);
    const content = bytesLeft > 0 ? escapeXml(markdownToHtml(description)) : '';
    bytesLeft -= Buffer.byteLength(content);
    entries.push({
      id: `urn:uuid:${id}`,
      title,
      address: origin + addresses.automation(id),
      published: createdAt,
      updated: updatedAt,
      author: { name: developer.name, address: origin + addresses.developer(developer.id) },
      category,
      url,
      license,
      ...(file && download && { file: { ...file, type: mediaTypeOf(file.name), address: origin + download } }),
      summary: markdownToText(description, MAX_SUMMARY_LENGTH),
      ...(bytesLeft > 0 && { content }),
    });
    await setImmediate();
  }
  return entries;
}
