import type { Container } from 'inversify';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MountedApp } from '../../adapters/api/index.js';
import type { HttpOptions } from '../../adapters/api/index.js';
import type { UseCases } from '../../application/index.js';
import { readConfig } from '../../composition/config/config.js';
import { httpModule } from '../../composition/modules/http.js';
import { openLog } from '../../composition/program/log.js';
import { composeService } from '../../composition/service/compose-service.js';
import { Metrics } from '../../composition/service/metrics.js';
import { CORE, HTTP_APP, MARKETPLACE, STORAGE } from '../../composition/tokens.js';
import { openCore, type Core, type CoreOptions } from './core.js';
import type { Repositories } from './repositories.js';
import { OPERATOR } from '../../domain/access.js';

export interface TestService {
  readonly url: string;
  readonly port: number;
  readonly marketplace: UseCases['marketplace'];
  readonly keys: UseCases['keys'];
  readonly repositories: Repositories;
  /** The failures that the service reported so far. */
  readonly errors: readonly unknown[];
  /** Returns a new key of a developer, with both scopes by default. */
  key(developer?: string, scopes?: readonly string[], lifetime?: number): Promise<string>;
  close(): Promise<void>;
}

/** A service in this process. */
export interface LocalService extends TestService {
  readonly container: Container;
  readonly server: Server;
  /** The lines of the log so far. */
  readonly logged: readonly string[];
  /** Returns the welcome link of a new developer. */
  readonly invite: (developer: string) => Promise<string>;
}

/** A service as far as its clients go. */
export type Reachable = Pick<TestService, 'url' | 'key'>;

export interface TestServiceOptions extends Omit<CoreOptions, 'currency' | 'onAuditError'> {
  /** Environment variables, as `docs/settings.md` lists them. */
  readonly settings?: Settings;
  /** Binds parts of a host in place of ours. */
  readonly rebind?: (container: Container) => unknown;
  /** Fetches the metadata documents of agents. */
  readonly fetch?: typeof globalThis.fetch;
}

export type Settings = Readonly<Record<string, string>>;

const SETTINGS: Settings = {
  STORAGE: 'memory',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_CREATES: 'off',
  RATE_LIMIT_FAILED_AUTH: 'off',
  RATE_LIMIT_PAGES: 'off',
};

/** Starts the service that ships, on a free port of this process. It has no quotas, and three categories by default. */
export async function startService({
  settings = {},
  rebind,
  fetch,
  ...options
}: TestServiceOptions = {}): Promise<LocalService> {
  const config = readConfig({ ...SETTINGS, ...settings });
  const lines: string[] = [];
  const log = openLog(config.LOG_LEVEL, [], {
    write: (text) => lines.push(...text.split('\n').slice(0, -1)),
    flush: async () => undefined,
  });
  const onAuditError = (err: unknown) => log.error({ err }, 'the audit could not be written');
  const core = await openCore({ ...options, currency: config.CURRENCY, onAuditError });
  rebind?.(core.container);
  const { container } = core;
  const parts = { config, log, metrics: new Metrics(), host: {}, fetch };
  const { readiness, http } = await composeService(container.get(CORE), container.get(STORAGE), parts);
  readiness.open();
  const server = http.server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const logged = (): readonly string[] => {
    void log.flushed();
    return lines;
  };
  const service = serviceOf(server, core, config.tls ? 'https' : 'http');
  return {
    ...service,
    server,
    invite: async (developer) => {
      const { token } = await core.container.get(CORE).accounts.invite(OPERATOR, developer);
      return `${service.url}/panel/welcome/${token}`;
    },
    get logged() {
      return logged();
    },
    get errors() {
      return logged().filter((line) => FAILURE.test(line));
    },
  };
}

/** Matches the levels of an error and of worse. */
export const FAILURE = /"level":[56]0/;

export interface MountOptions extends Omit<CoreOptions, 'onAuditError'>, Pick<HttpOptions, 'mountPath' | 'publicUrl'> {
  /** Starts a server around the application, as a function or as it is. */
  readonly host: (listener: RequestListener, app: MountedApp) => Promise<Server>;
}

/** Mounts the application alone in a server of the test. */
export async function mountApp({
  host,
  mountPath = '',
  publicUrl = '',
  ...options
}: MountOptions): Promise<TestService> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const core = await openCore({ ...options, onAuditError: onError });
  const rateLimits = { reads: 'off', creates: 'off', failedAuthentications: 'off' } as const;
  core.container.load(await httpModule({ mountPath, publicUrl, rateLimits, onError }));
  const app = core.container.get(HTTP_APP);
  const handle = app.callback();
  const server = await host((request, response) => void handle(request, response), app);
  return { ...serviceOf(server, core, 'http'), errors };
}

function serviceOf(server: Server, { container, repositories }: Core, protocol: string) {
  const { port } = server.address() as AddressInfo;
  const keys = container.get(CORE).keys;
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    port,
    container,
    marketplace: container.get(MARKETPLACE),
    keys,
    repositories,
    key: async (developer = 'ada', scopes?: readonly string[], lifetime?: number) =>
      (await keys.issue(OPERATOR, { developer, scopes, lifetime })).text,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await container.get(CORE).audit.settled();
      await repositories.close();
    },
  };
}
