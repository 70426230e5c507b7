import { newPage, type CatalogueDeveloper, type Category } from '../../application/index.js';
import type { Context } from '../http/context.js';
import { notFound } from '../http/middleware/problem-documents.js';
import { atomText } from './atom.js';
import { feedEntries } from './feed-entries.js';
import { isFiltered, stateIn } from './list-state.js';
import { toShown, type ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './options.js';
import { originOf, sendShared } from './respond.js';
import { TEXTS } from './texts.js';
import { clientOf } from './visitors.js';

const TYPE = 'application/atom+xml; charset=utf-8';
const FEED_SIZE = 50;

interface Facts {
  readonly origin: string;
  readonly category: Pick<Category, 'id' | 'name'> | undefined;
  readonly developer: CatalogueDeveloper | undefined;
  readonly shown: readonly ShownAutomation[];
}

/** The newest automations: of all, of a category, of a developer, or of both. There is none of a narrower list. */
export async function sendFeed(ctx: Context, app: CatalogueApp): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  if (isFiltered(stateIn(query))) notFound();
  const [asked, slug] = [query.get('category') || undefined, query.get('developer') || undefined];
  const categories = await app.catalogue.categories();
  const found = asked === undefined ? undefined : (categories.find(({ id }) => id === asked) ?? notFound());
  const category = found && { id: found.id, name: found.name };
  const developer = slug === undefined ? undefined : ((await app.developers.find(slug)) ?? notFound());
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
    address: origin + addresses.feed({ category: category?.id, developer: developer?.slug }),
    page: origin + pageOf(app, category, developer),
    entries: await feedEntries(app, shown, origin),
  });
}

function pageOf({ addresses }: CatalogueApp, category: Facts['category'], developer: Facts['developer']): string {
  if (developer !== undefined) return addresses.developer(developer.slug);
  return category === undefined ? addresses.catalogue : addresses.category(category.id);
}
