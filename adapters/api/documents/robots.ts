import { entityTag, sendContent } from '../../edge/conditional.js';
import type { Context } from '../../edge/context.js';
import { publicOrigin, publicPath } from '../../edge/public-url.js';

/** Paths that no robot needs to read. */
const NEVER = ['/api/', '/v1/', '/panel/'];

/**
 * A list may have a category and a page. Every other combination of filters shows the same automations again. Of the
 * rules that match, the longest counts (RFC 9309, section 2.2.2).
 */
const LISTS = [
  'Allow: /catalogue?category=',
  'Allow: /catalogue?page=',
  'Disallow: /catalogue?',
  'Disallow: /catalogue?category=*&price_',
  'Disallow: /catalogue?category=*&free=',
  'Disallow: /catalogue?category=*&sort=',
];

/** Sends what robots may read, and where they find what there is. */
export function sendRobots(ctx: Context, publicUrl: string, isCataloguePublic: boolean): void {
  const body = robotsText(ctx, publicUrl, isCataloguePublic);
  ctx.set('Referrer-Policy', 'no-referrer');
  sendContent(ctx, { body, type: 'text/plain; charset=utf-8', etag: entityTag(body), caching: 'no-cache' });
}

function robotsText({ req }: Context, publicUrl: string, isCataloguePublic: boolean): string {
  const path = publicPath(publicUrl);
  const rules = [...NEVER.map((one) => `Disallow: ${one}`), ...(isCataloguePublic ? LISTS : ['Disallow: /catalogue'])];
  const origin = publicOrigin(req, publicUrl);
  const sitemap = isCataloguePublic && origin !== undefined ? [`Sitemap: ${origin}${path}/sitemap.xml`] : [];
  return ['User-agent: *', ...rules.map((rule) => rule.replace(': ', `: ${path}`)), ...sitemap, ''].join('\n');
}
