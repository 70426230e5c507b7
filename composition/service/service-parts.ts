import type { HostOptions, HostSignInOptions } from '../../adapters/api/index.js';
import type { CoreOptions } from '../../application/core.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { ServiceConfig } from '../config/service-settings.js';
import type { Metrics } from './metrics.js';
import type { ServiceLog } from './service-log.js';

/** What a host hands to the parts of a service. */
export interface HostParts
  extends
    Pick<CoreOptions, 'rules' | 'now' | 'newId'>,
    Pick<HostOptions, 'mountPath' | 'onRequestCompleted'>,
    HostSignInOptions {
  readonly verifier?: ApiKeyVerifier | undefined;
}

/** What a service is made of, in addition to its core and its storage. */
export interface ServiceParts {
  readonly config: ServiceConfig;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  readonly host: HostParts;
  /** Fetches the metadata documents of agents. Default: it reaches public servers alone. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
