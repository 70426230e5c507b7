import * as oauth from 'openid-client';
import type { OAuthApp } from './oauth-app.js';
import type { Visitor } from './panel-visitor.js';

/** A device that waits, with the codes that it got. */
export type WaitingDevice = oauth.DeviceAuthorizationResponse;

/** How the code of a device comes to the server. */
export type Way = 'typed' | 'address';

const XSRF = /name="xsrf" value="([^"]+)"/;
const CODE = /name="user_code"[^>]*value="([^"]+)"/;

/** Has a program on a device without a browser ask for codes. */
export function askForDevice(app: OAuthApp, scope = 'automations:read automations:write'): Promise<WaitingDevice> {
  return oauth.initiateDeviceAuthorization(app.config, { scope });
}

/**
 * Enters the code of a device, says that it is the one that the device shows, and answers the question. Returns the
 * last page.
 */
export async function enterCode(
  visitor: Visitor,
  { user_code: typed, verification_uri: page, verification_uri_complete: complete = '' }: WaitingDevice,
  way: Way = 'typed',
  what: 'allow' | 'cancel' = 'allow',
): Promise<string> {
  const opened = await visitor.open(way === 'typed' ? pathOf(page) : pathOf(complete));
  const code = way === 'typed' ? typed : (CODE.exec(opened.body)?.[1] ?? '');
  const device = new URL(page).pathname;
  const confirm = await send(visitor, device, opened.body, { user_code: code });
  if (!confirm.body.includes(typed)) throw new Error(`the code is not shown again: ${confirm.body.slice(0, 2_000)}`);
  const confirmed = await send(visitor, device, confirm.body, { user_code: typed, confirm: 'yes' });
  const question = placeOf(confirmed);
  await visitor.open(question);
  const last = await visitor.open(pathOf(placeOf(await visitor.submit(question, { answer: what }))));
  return last.body;
}

/** Goes through everything with a person who allows, and returns the tokens that the device gets. */
export async function connectDevice(app: OAuthApp, visitor: Visitor, way?: Way) {
  const device = await askForDevice(app);
  const page = await enterCode(visitor, device, way);
  if (!page.includes('You can close this page'))
    throw new Error(`the device is not connected: ${page.slice(0, 2_000)}`);
  return oauth.pollDeviceAuthorizationGrant(app.config, { ...device, interval: 0 });
}

type Sent = Awaited<ReturnType<Visitor['open']>>;

function send(visitor: Visitor, path: string, page: string, fields: Readonly<Record<string, string>>): Promise<Sent> {
  return visitor.submit(path, { xsrf: XSRF.exec(page)?.[1] ?? '', ...fields }, { withToken: false });
}

function placeOf({ status, headers, body }: Sent): string {
  const place = headers.get('location');
  if (status !== 303 || place === null) throw new Error(`the answer was ${status}: ${body.slice(0, 2_000)}`);
  return place;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}
