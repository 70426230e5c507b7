import { entityTag, isWanted } from '../edge/conditional.js';
import type { Context } from '../edge/context.js';
import { preferences } from '../edge/middleware/negotiation.js';
import { publicOrigin } from '../edge/public-url.js';
import { HTML_TYPE, send } from '../edge/send.js';
import { localeOf } from '../web/views/locales.js';
import type { CatalogueApp } from './app.js';
import { memberOf } from './visitors.js';

/** A feed, by its address and by the title that it has itself. */
export interface FeedLink {
  readonly address: string;
  readonly title: string;
}

/** The parts of every page. */
export interface Page {
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description?: string;
  /** The path of the address by which this page is known. */
  readonly canonical?: string;
  /** Whether search engines may list it. */
  readonly isListed?: boolean;
  /** The feed of what the page shows. Feed readers cannot sign in, so only a public catalogue offers it. */
  readonly feed?: FeedLink;
  readonly jsonLd?: string;
}

export type PageData = Page & Readonly<Record<string, unknown>>;

/** The one for whom a page is made. */
export interface Reader {
  /** The start of absolute addresses; empty if the request does not say where the service is. */
  readonly origin: string;
  /** The format of prices. */
  readonly locale: string;
}

/**
 * A page as a function: of the application, which stays the same, and of these facts. Its entity tag is made of the
 * facts, so a page that the client has is not made.
 */
export type MakePage<Facts> = (app: CatalogueApp, facts: Facts, reader: Reader) => PageData | Promise<PageData>;

/** Responds with a page. Caches may keep it, unless it has another status than 200. */
export async function show<Facts extends object>(
  ctx: Context,
  app: CatalogueApp,
  template: string,
  facts: Facts,
  make: MakePage<Facts>,
  status = 200,
): Promise<void> {
  const visitor = memberOf(ctx, app);
  ctx.vary('Accept-Language');
  const reader = { origin: originOf(ctx, app), locale: localeOf(preferences(ctx, 'Accept-Language')) };
  const validators = validatorsOf(ctx, app, [template, facts, reader, visitor]);
  if (status === 200 && !isWanted(ctx, validators)) return;
  sendPage(ctx, app, template, await make(app, facts, reader), status);
}

/** Sends a page. Caches keep only what `show` has told them to. */
export function sendPage(ctx: Context, app: CatalogueApp, template: string, page: PageData, status = 200): void {
  const isPublic = app.visibility === 'public';
  const data = { ...page, isListed: isPublic && page.isListed === true, feed: isPublic ? page.feed : undefined };
  const head = app.render('head', { ...data, origin: originOf(ctx, app) });
  const visitor = memberOf(ctx, app);
  send(ctx, HTML_TYPE, app.render(template, { ...data, head, visitor, usesScript: true }), status);
}

/** Responds with a text for programs, which is made once while its facts stay the same. */
export async function sendShared(
  ctx: Context,
  app: CatalogueApp,
  type: string,
  facts: object,
  make: () => string | Promise<string>,
): Promise<void> {
  const validators = validatorsOf(ctx, app, [type, facts]);
  if (isWanted(ctx, validators)) send(ctx, type, await app.bodies.get(validators.etag, make));
}

/** Lets caches keep a body, and ask each time whether it is still the same; one for a member only their browser. */
function validatorsOf({ state }: Context, { fingerprint }: CatalogueApp, facts: readonly unknown[]) {
  const caching = `${state.signedIn === undefined ? 'public' : 'private'}, no-cache`;
  return { etag: entityTag(JSON.stringify([fingerprint, ...facts])), caching };
}

/** Returns the start of absolute addresses; empty if the request does not say where the service is. */
export function originOf(ctx: Context, { publicUrl }: Pick<CatalogueApp, 'publicUrl'>): string {
  return publicOrigin(ctx.req, publicUrl) ?? '';
}
