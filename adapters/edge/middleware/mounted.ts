import type Koa from 'koa';
import type { RequestState } from '../context.js';
import type { MountedApp } from '../host.js';

/** Returns the application with types that name nothing of Koa: a host may have other types of it, or none. */
export function mounted(app: Koa<RequestState>): MountedApp {
  return app as unknown as MountedApp;
}
