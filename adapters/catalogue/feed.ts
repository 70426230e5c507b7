import { newPage, type CatalogueDeveloper, type Category } from '../../application/index.js';
import type { Context } from '../http/context.js';
import { notFound } from '../http/middleware/problem-documents.js';
import { atomText } from './atom.js';
import { feedEntries } from './feed-entries.js';
import { isFiltered, stateIn } from './list-state.js';
import { offerIn, type Offer } from './offers.js';
import type { Member, Shop } from './options.js';
import { originOf, sendShared } from './respond.js';
import { TEXTS } from './texts.js';
import { clientOf } from './visitors.js';

const TYPE = 'application/atom+xml; charset=utf-8';
const FEED_SIZE = 50;

interface Facts {
  readonly origin: string;
  readonly category: Pick<Category, 'id' | 'name'> | undefined;
  readonly developer: CatalogueDeveloper | undefined;
  readonly offers: readonly Offer[];
}

/** The newest automations: of all, of a category, of a developer, or of both. There is none of a narrower list. */
export async function sendFeed(ctx: Context, shop: Shop, member: Member | undefined): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  if (isFiltered(stateIn(query))) notFound();
  const [asked, slug] = [query.get('category') || undefined, query.get('developer') || undefined];
  const categories = await shop.catalogue.categories();
  const found = asked === undefined ? undefined : (categories.find(({ id }) => id === asked) ?? notFound());
  const category = found && { id: found.id, name: found.name };
  const developer = slug === undefined ? undefined : ((await shop.developers.find(slug)) ?? notFound());
  const automations = await newest(shop, category, developer, clientOf(ctx, shop, member));
  const offers = await Promise.all(automations.map(offerIn(shop, categories)));
  const facts = { origin: originOf(ctx, shop), category, developer, offers };
  await sendShared(ctx, shop, member, TYPE, facts, () => feedText(shop, facts));
}

async function newest({ catalogue }: Shop, category: Facts['category'], developer: Facts['developer'], client: string) {
  if (developer === undefined) return catalogue.newest(FEED_SIZE, category?.id);
  return (await catalogue.ofDeveloper(developer.id, newPage({ limit: FEED_SIZE }), category?.id, client)).items;
}

async function feedText(shop: Shop, { origin, category, developer, offers }: Facts): Promise<string> {
  const { addresses } = shop;
  return atomText({
    title: TEXTS.feedTitle(category?.name, developer?.name),
    address: origin + addresses.feed({ category: category?.id, developer: developer?.slug }),
    page: origin + pageOf(shop, category, developer),
    entries: await feedEntries(shop, offers, origin),
  });
}

function pageOf({ addresses }: Shop, category: Facts['category'], developer: Facts['developer']): string {
  if (developer !== undefined) return addresses.developer(developer.slug);
  return category === undefined ? addresses.catalogue : addresses.category(category.id);
}
