import { newPage, type PublicDeveloper } from '../../application/index.js';
import type { Context } from '../edge/context.js';
import { numberedPages } from '../web/pager.js';
import { noSuchPage } from '../web/views/error-page.js';
import { countText } from '../web/views/locales.js';
import { PAGE_SIZE, pageIn } from './list-state.js';
import { cardOf, toShown, type ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './app.js';
import { show, type PageData, type Reader } from './respond.js';
import { TEXTS } from './texts.js';
import { clientOf } from './visitors.js';

interface Facts {
  readonly developer: PublicDeveloper;
  /** The number of the page. */
  readonly number: number;
  readonly total: number;
  readonly shown: readonly ShownAutomation[];
}

/** One developer, and what they have on sale. */
export async function showDeveloper(ctx: Context, app: CatalogueApp, slug: string): Promise<void> {
  const { catalogue, profiles } = app;
  const developer = (await profiles.find(slug)) ?? noSuchPage();
  const number = pageIn(new URLSearchParams(ctx.querystring).get('page') ?? '');
  const client = clientOf(ctx, app);
  const [{ items, total }, categories] = await Promise.all([
    catalogue.ofDeveloper(developer.id, newPage({ page: number, limit: PAGE_SIZE }), undefined, client),
    catalogue.categories(),
  ]);
  if (total === 0) noSuchPage();
  const shown = await Promise.all(items.map(toShown(app, categories)));
  await show(ctx, app, 'developer', { developer, number, total, shown }, developerPage);
}

function developerPage(app: CatalogueApp, { developer, number, total, shown }: Facts, { locale }: Reader): PageData {
  const { addresses } = app;
  const { name, id } = developer;
  return {
    title: name,
    canonical: addresses.developer(id, number),
    isListed: shown.length > 0,
    feed: { address: addresses.feed({ developer: id }), title: TEXTS.feedTitle(name) },
    developer,
    cards: shown.map((one) => cardOf(app, one, locale)),
    total: countText(total),
    pages: numberedPages({
      page: number,
      size: PAGE_SIZE,
      total,
      addressOfPage: (page) => addresses.developer(id, page),
    }),
  };
}
