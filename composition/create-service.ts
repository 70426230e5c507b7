import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AccessTokenOptions } from '../adapters/oauth/index.js';
import { parseCurrency } from '../domain/currency.js';
import type { Storage } from '../domain/ports.js';
import type { CatalogueVisibility, ServiceConfig, ServiceRateLimits } from './config/config.js';
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
  const { composeService } = await import('./modules/service.js');
  const { storage, log = SILENT, ...settings } = options;
  const service = await composeService(storage, await configOf(settings), safeLog(log));
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

/** @throws DomainError `invalid` when there is no such currency, ConfigError for a setting that cannot be. */
async function configOf(settings: Omit<ServiceOptions, 'storage' | 'log'>): Promise<ServiceConfig> {
  const { readConfig } = await import('./config/config.js');
  const { brandName, brandLogo, ...options } = settings;
  const defaults = readConfig({
    BRAND_NAME: brandName,
    BRAND_LOGO: brandLogo,
    PANEL: options.panel === false ? 'off' : undefined,
    CATALOGUE: options.catalogue,
  });
  return {
    ...defaults,
    ...given(options),
    currency: parseCurrency(options.currency ?? defaults.currency),
    rateLimits: { ...defaults.rateLimits, ...given(options.rateLimits ?? {}) },
    metricsToken: options.metricsToken ?? '',
  };
}

type Given<Options> = { readonly [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** Returns the options without those that are undefined: they leave the defaults as they are. */
function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>;
}
