import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Applications, RateLimits } from '../adapters/api/index.js';
import { parseCurrency } from '../domain/currency.js';
import { requireOptions } from '../domain/options.js';
import type { Storage } from '../domain/ports.js';
import type { ServiceConfig, Setting } from './config/service-settings.js';
import type { HostParts } from './service/host-parts.js';
import { requireStorage } from './modules/own-storage.js';
import { safeLog, type ServiceLog } from './service/service-log.js';

/** How many requests a minute are allowed; `off` for any number. */
export interface ServiceRateLimits extends RateLimits {
  /**
   * Pages, feeds, sitemaps, documents and unknown paths: for each account that is signed in, and for each address of
   * other visitors.
   */
  readonly pages: number | 'off';
}

/** The options of `createService`. Each default is that of the environment variable of the same name. */
export interface ServiceOptions extends HostParts {
  /** The storage to serve. It stays open when the service closes. */
  readonly storage: Storage;
  /** Without one, the currency that the store has recorded. */
  readonly currency?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly rateLimits?:
    | { readonly [Name in keyof ServiceRateLimits]?: ServiceRateLimits[Name] | undefined }
    | undefined;
  readonly trustedProxyHops?: number | undefined;
  /** CIDR blocks that many people share, such as `203.0.113.0/24`: limits per address are ten times as high there. */
  readonly sharedNetworks?: readonly string[] | undefined;
  /** The issuer whose access tokens are accepted in addition to keys, as the settings OAUTH_... say. */
  readonly accessTokens?: ServiceConfig['accessTokens'] | undefined;
  /** The issuer with whose accounts people sign in to the pages, as the settings SIGN_IN_... say. */
  readonly signIn?: ServiceConfig['signIn'] | undefined;
  /** Whether people sign in with passwords; `false`, next to `signIn`, leaves them for emergencies. */
  readonly passwords?: boolean | undefined;
  /** A finite number, 0 or more: how long keys and developers are cached. */
  readonly keyCacheSeconds?: number | undefined;
  /** A finite number above 0: how long an idle connection stays open. */
  readonly keepAliveSeconds?: number | undefined;
  readonly panel?: boolean | undefined;
  /** The name of the pages, and their logo: an SVG or PNG file. */
  readonly brandName?: string | undefined;
  readonly brandLogo?: string | undefined;
  /** The visitors for whom the catalogue pages are there: those who are signed in, all, or none. */
  readonly catalogue?: 'members' | 'public' | 'off' | undefined;
  /** Whether automations can be found by words. Give the storage the same setting. */
  readonly search?: boolean | undefined;
  /** Whether there are tools for agents, at `/mcp`. */
  readonly mcp?: boolean | undefined;
  /** The addresses of n8n installations, such as `https://n8n.example`, whose editors show the market from `/n8n`. */
  readonly n8nUrls?: readonly string[] | undefined;
  /** Whether to have an authorization server at `/oauth`, if there is a panel and the storage has its records. */
  readonly oauthServer?: boolean | undefined;
  readonly metricsToken?: string | undefined;
  /**
   * Gets a line for each request, failure and difference: pino, `console`, ...; by default nothing is written. A
   * failure of the log is ignored.
   */
  readonly log?: ServiceLog | undefined;
}

/** The whole service over a storage: API, agents, `/oauth`, panel, catalogue, documentation, probes and metrics. */
export interface MarketplaceService {
  /** Returns the function that handles a request, for a server of the host. */
  callback(): Applications['api'];
  /** Listens, on http://127.0.0.1:3000 by default, and resolves when it does. */
  listen(port?: number, host?: string): Promise<Server>;
  /** Ends what runs in the background, and the server of `listen` once the requests in flight have their responses. */
  close(): Promise<void>;
}

/**
 * Prepares the storage, adds the starter categories to one that has none, and resolves to the service over it. It reads
 * no environment variable, handles no signal and ends no process. Rejects as `Storage.prepare` does.
 */
export async function createService(options: ServiceOptions): Promise<MarketplaceService> {
  requireOptions('createService', options, OPTIONS);
  const { newService } = await import('./container.js');
  const { assertVerifier } = await import('../adapters/edge/host-options.js');
  const { storage, log = SILENT, mountPath = '' } = options;
  for (const name of HOOKS)
    if (!['undefined', 'function'].includes(typeof options[name])) throw new TypeError(`${name} must be a function`);
  if (options.verifier !== undefined) assertVerifier(options.verifier);
  const config = await configOf(options);
  if (typeof storage !== 'object') throw new TypeError('createService needs the option storage');
  requireStorage('createService', storage);
  const currency = options.currency === undefined ? undefined : parseCurrency(options.currency);
  const address = config.PUBLIC_URL && config.PUBLIC_URL + mountPath;
  const record = await storage.prepare({ currency, address: address || undefined });
  const parts = { config, currency: record.currency, log: safeLog(log), host: options };
  const service = await newService(storage, parts);
  const { server, handler } = service.http;
  await service.open();
  return {
    callback: () => handler,
    listen: async (port = 3000, host = '127.0.0.1') => {
      await once(server.listen(port, host), 'listening');
      return server;
    },
    close: async () => {
      if (server.listening) await service.drain(0);
      await service.close();
    },
  };
}

const nothing = () => undefined;
const SILENT: ServiceLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const HOOKS = ['rules', 'now', 'newId', 'authenticate', 'onRequestCompleted'] as const;

const OPTIONS: Readonly<Record<keyof ServiceOptions, true>> = {
  storage: true,
  mountPath: true,
  verifier: true,
  authenticate: true,
  issuer: true,
  signInUrl: true,
  currency: true,
  publicUrl: true,
  rateLimits: true,
  trustedProxyHops: true,
  sharedNetworks: true,
  accessTokens: true,
  signIn: true,
  passwords: true,
  keyCacheSeconds: true,
  keepAliveSeconds: true,
  panel: true,
  brandName: true,
  brandLogo: true,
  catalogue: true,
  search: true,
  mcp: true,
  n8nUrls: true,
  oauthServer: true,
  metricsToken: true,
  log: true,
  rules: true,
  now: true,
  newId: true,
  onRequestCompleted: true,
};
const RATE_LIMITS = { reads: true, creates: true, failedAuthentications: true, pages: true } as const;
const ACCESS_TOKENS = { issuer: true, audience: true, jwksUrl: true, subject: true } as const;

/** @throws TypeError that names an option which is unknown, missing or wrong. */
async function configOf(options: ServiceOptions): Promise<ServiceConfig> {
  const { SERVICE_SETTINGS: by } = await import('./config/service-settings.js');
  const { rateLimits = {}, panel = true, accessTokens, search = true, mcp = true, oauthServer = true } = options;
  requireOptions('rateLimits of createService', rateLimits, RATE_LIMITS);
  if (accessTokens !== undefined) requireOptions('accessTokens of createService', accessTokens, ACCESS_TOKENS);
  if (!panel && options.authenticate === undefined && options.catalogue === 'members')
    throw new TypeError('catalogue must not be members while panel is false: members sign in there');
  const limit = (name: keyof ServiceRateLimits, setting: Setting<number | 'off'>) =>
    valueOf(`rateLimits.${name}`, rateLimits[name], setting);
  return {
    PUBLIC_URL: valueOf('publicUrl', options.publicUrl, by.PUBLIC_URL),
    RATE_LIMIT_READS: limit('reads', by.RATE_LIMIT_READS),
    RATE_LIMIT_CREATES: limit('creates', by.RATE_LIMIT_CREATES),
    RATE_LIMIT_FAILED_AUTH: limit('failedAuthentications', by.RATE_LIMIT_FAILED_AUTH),
    RATE_LIMIT_PAGES: limit('pages', by.RATE_LIMIT_PAGES),
    SHARED_NETWORKS: valueOf('sharedNetworks', listText('sharedNetworks', options.sharedNetworks), by.SHARED_NETWORKS),
    TRUSTED_PROXY_HOPS: valueOf('trustedProxyHops', options.trustedProxyHops, by.TRUSTED_PROXY_HOPS),
    KEY_CACHE_SECONDS: options.keyCacheSeconds ?? Number(by.KEY_CACHE_SECONDS.default),
    KEEP_ALIVE_SECONDS: options.keepAliveSeconds ?? Number(by.KEEP_ALIVE_SECONDS.default),
    PANEL: panel,
    BRAND_NAME: valueOf('brandName', options.brandName, by.BRAND_NAME),
    BRAND_LOGO: valueOf('brandLogo', options.brandLogo, by.BRAND_LOGO),
    CATALOGUE: valueOf('catalogue', options.catalogue ?? (panel ? undefined : 'off'), by.CATALOGUE),
    SEARCH: search,
    MCP: mcp,
    N8N_URLS: valueOf('n8nUrls', listText('n8nUrls', options.n8nUrls), by.N8N_URLS),
    OAUTH_SERVER: oauthServer && panel,
    METRICS_TOKEN: valueOf('metricsToken', options.metricsToken, by.METRICS_TOKEN),
    accessTokens,
    signIn: options.signIn,
    PASSWORDS: options.passwords ?? true,
  };
}

/** @throws TypeError unless it is a list of texts, or missing. */
function listText(name: string, texts: unknown): string | undefined {
  if (texts === undefined) return undefined;
  if (!Array.isArray(texts)) throw new TypeError(`${name} must be an array`);
  return texts.length === 0 ? undefined : texts.join(',');
}

/** Returns the value of an option, checked as the setting of the same meaning, or the default of that setting. */
function valueOf<Value>(name: string, given: string | number | undefined, setting: Setting<Value>): Value {
  const text = given === undefined ? setting.default : String(given);
  try {
    if (given === undefined && text === '') return '' as Value;
    return setting.parse(text);
  } catch (error) {
    throw new TypeError(`${name} ${(error as Error).message}`, { cause: error });
  }
}
