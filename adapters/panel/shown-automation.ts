import type { ArchivedAutomation, CountedCategory } from '../../application/index.js';
import { priceText } from '../http/views/locales.js';
import { moment } from '../http/views/times.js';

/** Returns an automation as pages show it, without its description. */
export function viewOf(
  { automation, withdrawn }: ArchivedAutomation,
  categories: readonly CountedCategory[],
  locale: string,
) {
  const { id, title, price, categoryId, createdAt, updatedAt, developerId } = automation;
  return {
    id,
    title,
    developerId,
    category: categories.find((one) => one.id === categoryId)?.name ?? categoryId,
    price: priceText(price, locale),
    published: moment(createdAt),
    revised: updatedAt > createdAt ? moment(updatedAt) : undefined,
    withdrawn: withdrawn && { ...withdrawn, at: moment(withdrawn.at) },
  };
}
