import type { Automation, Category } from '../../application/index.js';
import { preferences } from '../http/middleware/negotiation.js';
import { localeOf, priceText } from '../http/views/locales.js';
import { markdownToText } from '../http/views/markdown.js';
import { day } from '../http/views/times.js';
import type { Context } from '../http/context.js';
import type { Shop } from './options.js';

const EXCERPT_LENGTH = 180;

/** Returns what the cards of some automations show. */
export async function cardsOf(
  ctx: Context,
  { addresses, developers }: Shop,
  automations: readonly Automation[],
  categories: readonly Category[],
) {
  const locale = localeOf(preferences(ctx, 'Accept-Language'));
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return Promise.all(
    automations.map(async ({ id, title, description, price, categoryId, developerId, createdAt }) => {
      const developer = await developers.show(developerId);
      return {
        address: addresses.automation(id),
        title,
        excerpt: markdownToText(description, EXCERPT_LENGTH),
        price: priceText(price, locale),
        category: names.get(categoryId) ?? categoryId,
        categoryAddress: addresses.category(categoryId),
        developer: developer.name,
        developerAddress: addresses.developer(developer.slug),
        published: day(createdAt),
      };
    }),
  );
}
