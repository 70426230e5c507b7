import { newPage } from '../../application/index.js';
import type { Context } from '../http/context.js';
import { notFound } from '../http/middleware/problem-documents.js';
import { countText } from '../http/views/locales.js';
import { cardsOf } from './cards.js';
import { PAGE_SIZE, pageIn } from './list-state.js';
import type { Member, Shop } from './options.js';
import { pagesOf } from './pager.js';
import { show } from './respond.js';
import { clientOf } from './visitors.js';

/** One developer, and what they have on sale. */
export async function showDeveloper(ctx: Context, shop: Shop, member: Member | undefined, slug: string): Promise<void> {
  const { catalogue, developers, addresses } = shop;
  const developer = (await developers.find(slug)) ?? notFound();
  const number = pageIn(new URLSearchParams(ctx.querystring).get('page') ?? '');
  const client = clientOf(ctx, shop, member);
  const [{ items, total }, categories] = await Promise.all([
    catalogue.ofDeveloper(developer.id, newPage({ page: number, limit: PAGE_SIZE }), undefined, client),
    catalogue.categories(),
  ]);
  if (total === 0) notFound();
  show(ctx, shop, member, 'developer', {
    title: developer.name,
    canonical: addresses.developer(slug, number),
    isListed: items.length > 0,
    feed: addresses.feed({ developer: slug }),
    developer,
    cards: await cardsOf(ctx, shop, items, categories),
    total: countText(total),
    ...pagesOf(number, total, (page) => addresses.developer(slug, page)),
  });
}
