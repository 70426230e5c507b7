import type { Caller } from '../domain/access.js';
import { beginsAsKey } from '../domain/api-key.js';
import type { ApiKeyVerifier } from '../domain/ports.js';

/** API keys and access tokens side by side: what begins as a key is shown to the one, all else to the other, and nothing to both. */
export class RoutingApiKeyVerifier implements ApiKeyVerifier {
  /** `keys` is shown what begins with `amk_`, `tokens` all else. */
  constructor(
    private readonly keys: ApiKeyVerifier,
    private readonly tokens: ApiKeyVerifier,
  ) {}

  async verify(credential: string): Promise<Caller | undefined> {
    return (beginsAsKey(credential) ? this.keys : this.tokens).verify(credential);
  }
}
