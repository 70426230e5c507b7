import type { ServiceConfig } from '../config/service-settings.js';
import type { HostParts } from './host-parts.js';
import type { Metrics } from './metrics.js';
import type { ServiceLog } from './service-log.js';

/** What a service is made of, in addition to its core and its storage. */
export interface ServiceParts {
  readonly config: ServiceConfig;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  readonly host: HostParts;
  /** Fetches the metadata documents of agents. Default: it reaches public servers alone. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
