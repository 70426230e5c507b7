import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Core } from '../../application/core.js';
import type { Readiness } from './readiness.js';
import type { HttpServer, Service } from './service.js';

/** The use cases as `newCore` makes them, before a host decorates one. */
export const NEW_CORE: ServiceIdentifier<Core> = Symbol('NewCore');
/** Whether requests can be served now. */
export const READINESS: ServiceIdentifier<Readiness> = Symbol('Readiness');
/** Probes, metrics and documentation. */
export const PAGES_APP: ServiceIdentifier<Pick<Koa, 'callback'>> = Symbol('PagesApp');
/** The developer panel. */
export const PANEL_APP: ServiceIdentifier<Pick<Koa, 'callback'>> = Symbol('PanelApp');
/** The pages for buyers; undefined where they are off. */
export const CATALOGUE_APP: ServiceIdentifier<Pick<Koa, 'callback'> | undefined> = Symbol('CatalogueApp');
/** The server with every application on it. */
export const HTTP_SERVER: ServiceIdentifier<HttpServer> = Symbol('HttpServer');
/** The service, from its start to its stop. */
export const SERVICE: ServiceIdentifier<Service> = Symbol('Service');
