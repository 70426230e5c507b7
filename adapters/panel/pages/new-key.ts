import type { IssuedKey } from '../../../application/index.js';
import { show } from '../page.js';
import { isEncrypted, type Context, type Member, type Panel } from '../visit.js';

/** What can be part of an address in a shell without being anything else there. */
const HOST = /^[\w.:[\]-]+$/;

/** The only page that a key ever stands on: the answer to the form that made it. */
export function showNewKey(ctx: Context, panel: Panel, member: Member, { text, key }: IssuedKey): void {
  const curl = key.scopes.includes('automations:read') ? curlLine(text, ctx, panel) : undefined;
  show(ctx, panel, 'new-key', { title: 'Your new key', section: 'keys', member, text, name: key.name, curl });
}

function curlLine(key: string, ctx: Context, panel: Panel): string | undefined {
  const address = publicAddress(ctx, panel);
  return address && `curl -H "Authorization: Bearer ${key}" ${address}/api/categories`;
}

/** Where the service is found from where the browser is; undefined when the browser calls it something that is no host. */
export function publicAddress(ctx: Context, { publicUrl }: Panel): string | undefined {
  if (publicUrl !== '') return publicUrl;
  const { host = '' } = ctx.req.headers;
  return HOST.test(host) ? `${isEncrypted(ctx) ? 'https' : 'http'}://${host}` : undefined;
}
