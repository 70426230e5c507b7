import type { Automation, PublicDeveloper, Category } from '../../application/index.js';
import { markdownToText } from '../web/views/markdown.js';
import { priceText } from '../web/views/locales.js';
import { day } from '../web/views/times.js';
import type { CatalogueApp } from './app.js';

const MAX_EXCERPT_LENGTH = 180;

/** An automation with the names that are shown next to it. */
export interface ShownAutomation {
  readonly automation: Automation;
  readonly developer: PublicDeveloper;
  readonly category: Pick<Category, 'id' | 'name'>;
}

/** Returns a function that finds the names. */
export function toShown(
  { profiles }: CatalogueApp,
  categories: readonly Category[],
): (automation: Automation) => Promise<ShownAutomation> {
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return async (automation) => {
    const { developerId, categoryId: id } = automation;
    return { automation, developer: await profiles.show(developerId), category: { id, name: names.get(id) ?? id } };
  };
}

export function cardOf(
  { addresses }: CatalogueApp,
  { automation, developer, category }: ShownAutomation,
  locale: string,
) {
  const { id, title, description, price, file, createdAt } = automation;
  return {
    address: addresses.automation(id),
    title,
    excerpt: markdownToText(description, MAX_EXCERPT_LENGTH),
    price: priceText(price, locale),
    platform: file?.platform,
    category: category.name,
    categoryAddress: addresses.category(category.id),
    developer: developer.name,
    developerAddress: addresses.developer(developer.id),
    published: day(createdAt),
  };
}
