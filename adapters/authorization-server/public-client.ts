import { bodyCollector } from '../edge/middleware/collect-body.js';
import type { Context } from '../edge/context.js';

const FORM = 'application/x-www-form-urlencoded';
/** As many as oidc-provider takes. */
const MAX_BYTES = 56 * 1024;
const collect = bodyCollector(FORM, MAX_BYTES, `A form has at most ${MAX_BYTES} bytes.`);
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Returns the form of a client without a secret that sends its id as the user name of HTTP Basic, as libraries do that
 * know one way alone, with the id in it; nothing for any other request. oidc-provider takes no empty secret.
 */
export async function publicClientIn(ctx: Context): Promise<{ readonly body?: object }> {
  const { headers } = ctx.req;
  const id = idWithoutSecret(headers.authorization ?? '');
  if (id === undefined || ctx.method !== 'POST' || !ctx.is(FORM)) return {};
  const form = new URLSearchParams((await collect(ctx)).toString('utf8'));
  if (form.get('client_id') !== id) form.append('client_id', id);
  delete headers.authorization;
  const names = Array.from(new Set(form.keys()));
  return { body: Object.fromEntries(names.map((name) => [name, oneOrAll(form.getAll(name))])) };
}

function idWithoutSecret(authorization: string): string | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const [, id] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return id === undefined ? undefined : (new URLSearchParams(`id=${id}`).get('id') ?? undefined);
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first = ''] = values;
  return values.length > 1 ? values : first;
}
