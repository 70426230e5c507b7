import type { IssuedKey } from '../../../application/index.js';
import { show } from '../page.js';
import { publicOrigin } from '../../http/public-url.js';
import { TEXTS } from '../texts.js';
import type { Context, SignedInDeveloper, Panel } from '../visit.js';

/** Shows a new key, as the response to its form. No other page shows a key. */
export function showNewKey(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, { text, key }: IssuedKey): void {
  const curl = key.scopes.includes('automations:read') ? curlLine(text, ctx, panel) : undefined;
  show(ctx, panel, 'new-key', { title: TEXTS.newKey.title, current: 'keys', signedIn, text, name: key.name, curl });
}

function curlLine(key: string, ctx: Context, panel: Panel): string | undefined {
  const address = publicAddress(ctx, panel);
  return address && `curl -H "Authorization: Bearer ${key}" ${address}/api/categories`;
}

/** Returns the address of the service as the browser sees it; undefined if the browser sent an unsafe host. */
export function publicAddress(ctx: Context, { base, publicUrl }: Panel): string | undefined {
  const origin = publicOrigin(ctx.req, publicUrl);
  return origin && `${origin}${base}`;
}
