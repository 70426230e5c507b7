import type { DeveloperId } from './access.js';

/**
 * What a person is to an issuer of tokens, or to a host with users of its own: the issuer's address (`iss`) or the
 * host's name, and the subject by which it knows them. Both are compared as they are, letter by letter.
 */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity, and who has it. A developer may have several. */
export interface DeveloperIdentity extends Identity {
  readonly developerId: DeveloperId;
}
