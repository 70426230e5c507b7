import type { HostOptions, HostSignInOptions } from '../../adapters/api/index.js';
import type { CoreOptions } from '../../application/core.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';

/** What a host hands to the parts of a service. */
export interface HostParts
  extends
    Pick<CoreOptions, 'rules' | 'now' | 'newId'>,
    Pick<HostOptions, 'mountPath' | 'onRequestCompleted'>,
    HostSignInOptions {
  readonly verifier?: ApiKeyVerifier | undefined;
}
