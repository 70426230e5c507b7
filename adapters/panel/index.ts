/**
 * The panel: pages on which developers and operators manage keys, automations and accounts.
 * @module automation-marketplace-pages/panel
 */
import { requireOptions, requireParts } from '../../domain/options.js';
import type { MountedApp } from '../edge/host.js';
import { assertOption, checkedHostOptions, type HostSettings } from '../edge/host-options.js';
import { clientAddress } from '../edge/middleware/client-address.js';
import { readOnly, routing } from '../edge/middleware/routing.js';
import { hostSignInOf } from '../web/host-sign-in.js';
import { Overload } from '../edge/middleware/overload.js';
import { newPageApp } from '../web/page-app.js';
import { PageQuota } from '../web/page-quota.js';
import { DeveloperQuotas } from '../edge/middleware/quotas.js';
import { findSignedIn } from '../web/signed-in.js';
import { PageAssets } from '../web/views/assets.js';
import { DEFAULT_BRAND } from '../web/views/brand.js';
import { errorPage, noSuchPage } from '../web/views/error-page.js';
import { newSite, views } from '../web/views/views.js';
import { SubmittedForms } from '../web/form.js';
import { PANEL_OPTIONS, type PanelCore, type PanelOptions } from './options.js';
import type { OAuthParts, Panel } from './panel.js';
import { routesOf } from './routes.js';
import { TEXTS } from './texts/texts.js';

export type { ConsentQuestion, Consents, ServerDescription } from '../web/consents.js';
export type { IssuerRefusal, IssuerRefused, IssuerSignedIn, IssuerSignIn, IssuerStart } from '../web/issuer-sign-in.js';
export type { Brand, Logo } from '../web/views/brand.js';
export type { PageOptions } from '../web/page-options.js';
export type { PanelCore, PanelOptions } from './options.js';

const USE_CASES = [
  ...['marketplace', 'records', 'keys', 'sessions', 'profiles', 'security', 'audit', 'accounts', 'categories'],
] as const satisfies readonly (keyof PanelCore)[];

/**
 * Returns the panel as a Koa application: pages for people with a browser, at `/panel` under the mount path.
 * Applications of one process may share the overload protection.
 * @throws TypeError when an option is not as it must be.
 */
export function createPanel(core: PanelCore, options: PanelOptions = {}, overload = new Overload()): MountedApp {
  requireOptions('createPanel', options, PANEL_OPTIONS);
  requireParts('createPanel', 'a core', core, USE_CASES);
  const host = checkedHostOptions(options);
  const assets = new PageAssets(options.brand ?? DEFAULT_BRAND);
  const panel = newPanel(core, options, host, assets);
  const pageFor = errorPage(panel.render, { home: panel.at, homeText: TEXTS.toPanel });
  const served = { files: readOnly(assets.routes('/panel')), pages: routing(routesOf(panel)), notFound: noSuchPage };
  const visitors = { addressOf: panel.addressOf, signIn: findSignedIn(panel), quota: PageQuota.of(options) };
  const front = panel.at;
  return newPageApp({ ...host, pageFor, front, ...visitors, ...served }, overload);
}

function newPanel(
  core: PanelCore,
  options: PanelOptions,
  { base, publicUrl, trustedProxyHops }: HostSettings,
  assets: PageAssets,
): Panel {
  const { search = true, catalogue = false, docs = false, now = () => new Date() } = options;
  const { quotas = new DeveloperQuotas() } = options;
  const hostSignIn = hostSignInOf(options);
  const { signIn, passwords = true } = options;
  assertOption(passwords || signIn !== undefined, 'passwords must not be false without signIn: nobody could sign in');
  assertOption(signIn === undefined || hostSignIn === undefined, 'signIn must not come with authenticate');
  const at = `${base}/panel`;
  const { name } = options.brand ?? DEFAULT_BRAND;
  const home = docs ? `${base}/` : at;
  const site = newSite({ name, at: base, home, assets: assets.addresses(at), docs, catalogue, panel: true });
  const render = views(new URL('./templates/', import.meta.url), site, {
    at,
    texts: TEXTS,
    isPrivate: true,
    usesScript: true,
    hasPasswords: hostSignIn === undefined,
    passwordsOff: !passwords,
  });
  const addressOf: Panel['addressOf'] = (request) => clientAddress(request, trustedProxyHops);
  const submitted = new SubmittedForms();
  const host = { publicUrl, base, addressOf, host: hostSignIn };
  const oauth = oauthParts(core, options);
  return {
    ...core,
    ...host,
    signIn,
    passwordsOff: !passwords,
    oauth,
    search,
    catalogue,
    docs,
    quotas,
    now,
    at,
    render,
    submitted,
  };
}

/** @throws TypeError when the core has no use cases for the questions. */
function oauthParts({ apps, connections }: PanelCore, { consents }: PanelOptions): OAuthParts | undefined {
  if (consents === undefined) return undefined;
  assertOption(apps !== undefined && connections !== undefined, 'consents needs a storage with oauthRecords');
  return { consents, apps, connections };
}
