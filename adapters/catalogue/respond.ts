import { entityTag, sendContent } from '../http/conditional.js';
import type { Context } from '../http/context.js';
import { publicOrigin } from '../http/public-url.js';
import { HTML_TYPE, send } from '../http/send.js';
import type { Member, Shop } from './options.js';

/** The parts of every page. */
export interface Page {
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description?: string;
  /** The path of the address by which this page is known. */
  readonly canonical?: string;
  /** Whether search engines may list it. */
  readonly isListed?: boolean;
  readonly feed?: string;
  readonly jsonLd?: string;
}

type PageData = Page & Readonly<Record<string, unknown>>;

/** Responds with a page. Caches may keep it, unless it has another status than 200. */
export function show(
  ctx: Context,
  shop: Shop,
  member: Member | undefined,
  template: string,
  page: PageData,
  status = 200,
): void {
  ctx.vary('Accept-Language');
  const isListed = page.isListed === true && shop.visibility === 'public';
  const head = shop.render('head', { ...page, isListed, origin: absolute(ctx, shop, '') });
  const html = shop.render(template, { ...page, head, visitor: member, usesScript: true });
  if (status === 200) sendCacheable(ctx, member, HTML_TYPE, html);
  else send(ctx, HTML_TYPE, html, status);
}

/** Lets caches keep a body, and ask each time whether it is still the same; one for a member only their browser. */
export function sendCacheable(ctx: Context, member: Member | undefined, type: string, body: string): void {
  const caching = `${member === undefined ? 'public' : 'private'}, no-cache`;
  sendContent(ctx, { body, type, etag: entityTag(body), caching });
}

/** Returns a path as an absolute address; unchanged if the request does not say where the service is. */
export function absolute(ctx: Context, { publicUrl }: Pick<Shop, 'publicUrl'>, path: string): string {
  return `${publicOrigin(ctx.req, publicUrl) ?? ''}${path}`;
}
