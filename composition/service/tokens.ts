import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { IfMissing, Session } from '../../adapters/cli/index.js';
import type { Maintenance } from '../../application/maintenance.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';
import type { HttpServer, Service } from './service.js';
import type { Store } from './store.js';

/** What a command works with, once it is prepared. */
export interface CommandSession extends Session {
  prepare(ifMissing: IfMissing): Promise<void>;
}

/** The configured store as a whole. */
export const STORE: ServiceIdentifier<Store> = Symbol('Store');
/** The upkeep of the store. */
export const MAINTENANCE: ServiceIdentifier<Maintenance> = Symbol('Maintenance');
/** Whether requests can be served now. */
export const READINESS: ServiceIdentifier<Readiness> = Symbol('Readiness');
/** The metrics of the process. */
export const METRICS: ServiceIdentifier<Metrics> = Symbol('Metrics');
/** Probes, metrics and documentation. */
export const PAGES_APP: ServiceIdentifier<Pick<Koa, 'callback'>> = Symbol('PagesApp');
/** The developer panel. */
export const PANEL_APP: ServiceIdentifier<Pick<Koa, 'callback'>> = Symbol('PanelApp');
/** The server with every application on it. */
export const HTTP_SERVER: ServiceIdentifier<HttpServer> = Symbol('HttpServer');
/** The service, from its start to its stop. */
export const SERVICE: ServiceIdentifier<Service> = Symbol('Service');
/** What a command works with. */
export const COMMAND_SESSION: ServiceIdentifier<CommandSession> = Symbol('CommandSession');
