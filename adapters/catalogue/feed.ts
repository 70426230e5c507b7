import { newPage, type Automation, type CatalogueDeveloper, type Category } from '../../application/index.js';
import type { Context } from '../http/context.js';
import { notFound } from '../http/middleware/problem-documents.js';
import { markdownToHtml, markdownToText } from '../http/views/markdown.js';
import { atomText, type AtomEntry } from './atom.js';
import type { Member, Shop } from './options.js';
import { absolute, sendCacheable } from './respond.js';
import { TEXTS } from './texts.js';
import { clientOf } from './visitors.js';

const TYPE = 'application/atom+xml; charset=utf-8';
const FEED_SIZE = 50;
const MAX_SUMMARY_LENGTH = 300;

/** The newest automations: of all, of a category, of a developer, or of both. */
export async function sendFeed(ctx: Context, shop: Shop, member: Member | undefined): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const [category, developer] = [query.get('category') || undefined, query.get('developer') || undefined];
  const categories = await shop.catalogue.categories();
  const shelf = category === undefined ? undefined : (categories.find(({ id }) => id === category) ?? notFound());
  const seller = developer === undefined ? undefined : ((await shop.developers.find(developer)) ?? notFound());
  const { addresses } = shop;
  const feed = {
    title: titleOf(shelf, seller),
    address: absolute(ctx, shop, addresses.feed({ category: shelf?.id, developer: seller?.slug })),
    page: absolute(ctx, shop, pageOf(shop, shelf, seller)),
    entries: await entriesOf(ctx, shop, await newest(shop, shelf, seller, clientOf(ctx, shop, member)), categories),
  };
  sendCacheable(ctx, member, TYPE, atomText(feed));
}

function titleOf(shelf: Category | undefined, seller: CatalogueDeveloper | undefined): string {
  return [TEXTS.feedTitle, ...(shelf ? [shelf.name] : []), ...(seller ? [seller.name] : [])].join(' · ');
}

function pageOf({ addresses }: Shop, shelf: Category | undefined, seller: CatalogueDeveloper | undefined): string {
  if (seller !== undefined) return addresses.developer(seller.slug);
  return shelf === undefined ? addresses.catalogue : addresses.category(shelf.id);
}

async function newest(
  { catalogue }: Shop,
  shelf: Category | undefined,
  seller: CatalogueDeveloper | undefined,
  client: string,
) {
  if (seller === undefined) return catalogue.newest(FEED_SIZE, shelf?.id);
  return (await catalogue.ofDeveloper(seller.id, newPage({ limit: FEED_SIZE }), shelf?.id, client)).items;
}

function entriesOf(
  ctx: Context,
  shop: Shop,
  automations: readonly Automation[],
  categories: readonly Category[],
): Promise<readonly AtomEntry[]> {
  const { addresses, developers } = shop;
  return Promise.all(
    automations.map(async ({ id, title, description, categoryId, developerId, createdAt, updatedAt }) => {
      const { name, slug } = await developers.show(developerId);
      return {
        id: `urn:uuid:${id}`,
        title,
        address: absolute(ctx, shop, addresses.automation(id)),
        published: createdAt,
        updated: updatedAt,
        author: { name, address: absolute(ctx, shop, addresses.developer(slug)) },
        category: { id: categoryId, name: categories.find((one) => one.id === categoryId)?.name ?? categoryId },
        summary: markdownToText(description, MAX_SUMMARY_LENGTH),
        html: markdownToHtml(description),
      };
    }),
  );
}
