import type { Automation } from '../../application/index.js';
import type { Context } from '../edge/context.js';
import { movedTo } from '../edge/send.js';
import { noSuchPage } from '../web/views/error-page.js';
import { priceText } from '../web/views/locales.js';
import { markdownToHtml, markdownToText } from '../web/views/markdown.js';
import { day } from '../web/views/times.js';
import { jsonLdOf } from './json-ld.js';
import { cardOf, toShown, type ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './app.js';
import { n8nLinks, shownFile } from './shown-file.js';
import { show, type PageData, type Reader } from './respond.js';
import { TEXTS } from './texts.js';

const MAX_SUMMARY_LENGTH = 160;
const MORE_OF_DEVELOPER = 3;

/** One automation on sale, or the page in its place after it was withdrawn. It has one address: ids have one form. */
export async function showAutomation(ctx: Context, app: CatalogueApp, id: string): Promise<void> {
  const { automation, withdrawn } = (await app.catalogue.read(id)) ?? noSuchPage();
  if (id !== automation.id) movedTo(ctx, app.addresses.automation(automation.id));
  else if (withdrawn === undefined) await show(ctx, app, 'detail', await factsOf(app, automation), detailPage);
  else await showWithdrawn(ctx, app);
}

export async function showWithdrawn(ctx: Context, app: CatalogueApp): Promise<void> {
  await show(ctx, app, 'withdrawn', {}, () => ({ title: TEXTS.withdrawn }), 410);
}

interface Facts {
  readonly shown: ShownAutomation;
  /** What the same developer has on sale. */
  readonly more: readonly ShownAutomation[];
}

/** Leaves out a file that an operator has refused for everyone: it cannot be had. */
async function factsOf(app: CatalogueApp, automation: Automation): Promise<Facts> {
  const { catalogue } = app;
  const [categories, more, isRefused] = await Promise.all([
    catalogue.categories(),
    catalogue.moreOf(automation, MORE_OF_DEVELOPER),
    catalogue.isFileRefused(automation),
  ]);
  const withNames = toShown(app, categories);
  return {
    shown: await withNames(isRefused ? { ...automation, file: null } : automation),
    more: await Promise.all(more.map(withNames)),
  };
}

async function detailPage(app: CatalogueApp, { shown, more }: Facts, { origin, locale }: Reader): Promise<PageData> {
  const { addresses } = app;
  const { automation, developer, category } = shown;
  const { id, title, description, price, url, license, createdAt, updatedAt } = automation;
  return {
    title,
    url,
    license,
    file: shownFile(app, automation),
    n8n: n8nLinks(app, automation),
    picture: await app.pictures.of(automation),
    description: markdownToText(description, MAX_SUMMARY_LENGTH),
    canonical: addresses.automation(id),
    report: app.reports && addresses.report(id),
    isListed: true,
    feed: { address: addresses.feed({ developer: developer.id }), title: TEXTS.feedTitle(developer.name) },
    jsonLd: jsonLdOf(automation, namesOf(app, shown, origin)),
    html: markdownToHtml(description),
    price: priceText(price, locale),
    category: { name: category.name, address: addresses.category(category.id) },
    developer: { ...developer, address: addresses.developer(developer.id) },
    published: day(createdAt),
    ...(updatedAt > createdAt && { revised: day(updatedAt) }),
    curl: `curl -H "Authorization: Bearer KEY" ${origin}${addresses.root}/api/automations/${id}`,
    cards: more.map((one) => cardOf(app, one, locale)),
  };
}

function namesOf({ addresses }: CatalogueApp, { automation, developer, category }: ShownAutomation, origin: string) {
  const download = automation.file && addresses.file(automation.id);
  return {
    address: origin + addresses.automation(automation.id),
    ...(download && { download: origin + download }),
    developer: { name: developer.name, address: origin + addresses.developer(developer.id) },
    trail: [
      { name: TEXTS.catalogue, address: origin + addresses.catalogue },
      { name: category.name, address: origin + addresses.category(category.id) },
    ],
  };
}
