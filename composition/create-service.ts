import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { CompletedRequest } from '../adapters/http/index.js';
import type { AccessTokenOptions } from '../adapters/oauth/index.js';
import type { AutomationRules } from '../application/host-rules.js';
import { parseCurrency } from '../domain/currency.js';
import { requireOptions } from '../domain/options.js';
import type { Storage } from '../domain/ports.js';
import type { CatalogueVisibility, ServiceConfig, ServiceRateLimits } from './config/config.js';
import type { Setting } from './config/settings.js';
import { safeLog, type ServiceLog } from './service/service-log.js';

/** The options of `createService`. Each default is that of the environment variable of the same name. */
export interface ServiceOptions {
  /** The storage to serve. It stays open when the service closes. */
  readonly storage: Storage;
  readonly currency?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly rateLimits?:
    | { readonly [Name in keyof ServiceRateLimits]?: ServiceRateLimits[Name] | undefined }
    | undefined;
  readonly trustedProxyHops?: number | undefined;
  /** The issuer whose access tokens are accepted in addition to keys: OAUTH_ISSUER, OAUTH_AUDIENCE, OAUTH_JWKS_URL. */
  readonly accessTokens?: Pick<AccessTokenOptions, 'issuer' | 'audience' | 'jwksUrl'> | undefined;
  /** A finite number, 0 or more: how long keys and developers are cached. */
  readonly keyCacheSeconds?: number | undefined;
  /** A finite number above 0: how long an idle connection stays open. */
  readonly keepAliveSeconds?: number | undefined;
  readonly panel?: boolean | undefined;
  /** The name of the pages, and their logo: an SVG or PNG file. */
  readonly brandName?: string | undefined;
  readonly brandLogo?: string | undefined;
  /** The visitors for whom the catalogue pages are there. */
  readonly catalogue?: CatalogueVisibility | undefined;
  /** Whether automations can be found by words. Give the storage the same setting. */
  readonly search?: boolean | undefined;
  readonly metricsToken?: string | undefined;
  /**
   * Gets a line for each request, failure and difference: pino, `console`, ...; by default nothing is written. A
   * failure of the log is ignored.
   */
  readonly log?: ServiceLog | undefined;
  /** Rules of a host, in addition to those of the market. */
  readonly rules?: AutomationRules | undefined;
  /** The clock of everything that is stored or shown; the machine's by default. */
  readonly now?: (() => Date) | undefined;
  /** A new UUID in lower case; version 7 by default. */
  readonly newId?: (() => string) | undefined;
  /** Called with every request when it is over. A failure of it is written to the log. */
  readonly onRequestCompleted?: ((request: CompletedRequest) => void) | undefined;
}

/** The whole service over a storage: API, panel, probes, metrics and documentation. */
export interface MarketplaceService {
  /** Returns the function that handles a request, for a server of the host. */
  callback(): RequestListener;
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
  const { composeService } = await import('./modules/service.js');
  const { storage, log = SILENT, rules, now, newId, onRequestCompleted } = options;
  const host = { rules, now, newId, onRequestCompleted };
  for (const [name, part] of Object.entries(host))
    if (part !== undefined && typeof part !== 'function') throw new TypeError(`${name} must be a function`);
  const config = await configOf(options);
  if (typeof storage !== 'object') throw new TypeError('createService needs the option storage');
  const service = await composeService(storage, config, safeLog(log), host);
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

const OPTIONS: Readonly<Record<keyof ServiceOptions, true>> = {
  storage: true,
  currency: true,
  publicUrl: true,
  rateLimits: true,
  trustedProxyHops: true,
  accessTokens: true,
  keyCacheSeconds: true,
  keepAliveSeconds: true,
  panel: true,
  brandName: true,
  brandLogo: true,
  catalogue: true,
  search: true,
  metricsToken: true,
  log: true,
  rules: true,
  now: true,
  newId: true,
  onRequestCompleted: true,
};
const RATE_LIMITS: Readonly<Record<keyof ServiceRateLimits, true>> = {
  reads: true,
  creates: true,
  failedAuthentications: true,
  pages: true,
};
const ACCESS_TOKENS = { issuer: true, audience: true, jwksUrl: true } as const;

/** @throws TypeError that names an option which is unknown, missing or wrong, DomainError for an unknown currency. */
async function configOf(options: ServiceOptions): Promise<ServiceConfig> {
  const { SETTINGS: by } = await import('./config/settings.js');
  const { rateLimits = {}, panel = true, accessTokens, search = true } = options;
  requireOptions('rateLimits of createService', rateLimits, RATE_LIMITS);
  if (accessTokens !== undefined) requireOptions('accessTokens of createService', accessTokens, ACCESS_TOKENS);
  if (!panel && options.catalogue === 'members')
    throw new TypeError('catalogue must not be members while panel is false: members sign in there');
  return {
    currency: parseCurrency(options.currency ?? by.CURRENCY.default),
    publicUrl: valueOf('publicUrl', options.publicUrl, by.PUBLIC_URL),
    rateLimits: {
      reads: valueOf('rateLimits.reads', rateLimits.reads, by.RATE_LIMIT_READS),
      creates: valueOf('rateLimits.creates', rateLimits.creates, by.RATE_LIMIT_CREATES),
      failedAuthentications: valueOf(
        'rateLimits.failedAuthentications',
        rateLimits.failedAuthentications,
        by.RATE_LIMIT_FAILED_AUTH,
      ),
      pages: valueOf('rateLimits.pages', rateLimits.pages, by.RATE_LIMIT_PAGES),
    },
    trustedProxyHops: valueOf('trustedProxyHops', options.trustedProxyHops, by.TRUSTED_PROXY_HOPS),
    accessTokens,
    keyCacheSeconds: options.keyCacheSeconds ?? Number(by.KEY_CACHE_SECONDS.default),
    keepAliveSeconds: options.keepAliveSeconds ?? Number(by.KEEP_ALIVE_SECONDS.default),
    panel,
    brand: {
      name: valueOf('brandName', options.brandName, by.BRAND_NAME),
      logo: valueOf('brandLogo', options.brandLogo, by.BRAND_LOGO),
    },
    catalogue: valueOf('catalogue', options.catalogue ?? (panel ? undefined : 'off'), by.CATALOGUE),
    search,
    tls: undefined,
    metricsToken: valueOf('metricsToken', options.metricsToken, by.METRICS_TOKEN),
  };
}

/** Returns the value of an option, checked as the setting of the same meaning, or the default of that setting. */
function valueOf<Value>(name: string, given: string | number | undefined, setting: Setting<Value>): Value {
  try {
    return setting.parse(given === undefined ? setting.default : String(given));
  } catch (error) {
    throw new TypeError(`${name} ${(error as Error).message}`, { cause: error });
  }
}
