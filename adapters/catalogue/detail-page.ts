import type { Automation, CatalogueDeveloper } from '../../application/index.js';
import type { Context } from '../http/context.js';
import { preferences } from '../http/middleware/negotiation.js';
import { localeOf, priceText } from '../http/views/locales.js';
import { markdownToHtml, markdownToText } from '../http/views/markdown.js';
import { day } from '../http/views/times.js';
import { notFound } from '../http/middleware/problem-documents.js';
import { cardsOf } from './cards.js';
import { jsonLdOf } from './json-ld.js';
import type { Member, Shop } from './options.js';
import { absolute, show } from './respond.js';
import { TEXTS } from './texts.js';

const MAX_SUMMARY_LENGTH = 160;
const MORE_OF_DEVELOPER = 3;

/** One automation on sale, or the page in its place after it was withdrawn. */
export async function showAutomation(ctx: Context, shop: Shop, member: Member | undefined, id: string): Promise<void> {
  const found = (await shop.catalogue.read(id)) ?? notFound();
  if (found.withdrawn === undefined) await showOne(ctx, shop, member, found.automation);
  else show(ctx, shop, member, 'withdrawn', { title: TEXTS.withdrawn }, 410);
}

async function showOne(ctx: Context, shop: Shop, member: Member | undefined, automation: Automation): Promise<void> {
  const { catalogue, developers, addresses } = shop;
  const [developer, categories, more] = await Promise.all([
    developers.show(automation.developerId),
    catalogue.categories(),
    catalogue.moreOf(automation, MORE_OF_DEVELOPER),
  ]);
  const { id, title, description, price, categoryId, createdAt, updatedAt } = automation;
  const category = categories.find((one) => one.id === categoryId) ?? { id: categoryId, name: categoryId };
  const address = addresses.automation(id);
  show(ctx, shop, member, 'detail', {
    title,
    description: markdownToText(description, MAX_SUMMARY_LENGTH),
    canonical: address,
    isListed: true,
    feed: addresses.feed({ developer: developer.slug }),
    jsonLd: jsonLdOf(automation, namesOf(ctx, shop, automation, developer, category)),
    html: markdownToHtml(description),
    price: priceText(price, localeOf(preferences(ctx, 'Accept-Language'))),
    category: { name: category.name, address: addresses.category(categoryId) },
    developer: { ...developer, address: addresses.developer(developer.slug) },
    published: day(createdAt),
    ...(updatedAt > createdAt && { revised: day(updatedAt) }),
    curl: curlOf(ctx, shop, id),
    cards: await cardsOf(ctx, shop, more, categories),
  });
}

function namesOf(
  ctx: Context,
  shop: Shop,
  { id, categoryId }: Automation,
  { name, slug }: CatalogueDeveloper,
  category: { readonly name: string },
) {
  const { addresses } = shop;
  const at = (path: string) => absolute(ctx, shop, path);
  return {
    address: at(addresses.automation(id)),
    developer: { name, address: at(addresses.developer(slug)) },
    trail: [
      { name: TEXTS.catalogue, address: at(addresses.catalogue) },
      { name: category.name, address: at(addresses.category(categoryId)) },
    ],
  };
}

function curlOf(ctx: Context, shop: Shop, id: string): string {
  return `curl -H "Authorization: Bearer KEY" ${absolute(ctx, shop, `${shop.addresses.root}/api/automations/${id}`)}`;
}
