import type { DeveloperId } from '../domain/access.js';
import type { Developer } from '../domain/developer.js';
import { DomainError } from '../domain/errors.js';
import { IDENTITY_TEXT_RULE, isIdentityText, type Identity } from '../domain/identity.js';
import type { DeveloperRepository } from '../domain/ports.js';
import { Context, type ContextOptions } from './context.js';
import { newPersonId } from './defaults.js';

/** The accounts of people whom an issuer of tokens, or a host with users of its own, knows by a subject. */
export class Identities {
  readonly #context: Context;

  /** Uses the developers of one store. */
  constructor(
    private readonly developers: Pick<DeveloperRepository, 'findByIdentity' | 'identify'>,
    options: ContextOptions = {},
  ) {
    this.#context = new Context(options);
  }

  /**
   * Returns the account that has this identity. The first time it makes one, whose id is random and says nothing of
   * the person; when raced, all get the same. Fails as a `TypeError` for what is no identity.
   */
  async accountOf(identity: Identity): Promise<DeveloperId> {
    if (!isIdentityText(identity.issuer) || !isIdentityText(identity.subject))
      throw new TypeError(`an identity must be { issuer, subject }, each ${IDENTITY_TEXT_RULE}`);
    return (await this.find(identity)) ?? (await this.#newAccount(identity)).id;
  }

  /** Returns the account that has this identity; undefined before its first use. */
  async find(identity: Identity): Promise<DeveloperId | undefined> {
    return (await this.developers.findByIdentity(identity))?.id;
  }

  async #newAccount(identity: Identity): Promise<Developer> {
    const [id, at] = [newPersonId(), this.#context.now()];
    const added = { actor: 'developer', action: 'developer-added', developerId: id } as const;
    try {
      return await this.developers.identify(identity, { id, at, ...this.#context.auditedAs([added], {}) });
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'outcome-unknown' ? notIdentified(error) : error;
    }
  }
}

/** Tells that nothing was found: whether the account was stored does not matter, the next request finds or makes it. */
function notIdentified(cause: DomainError): DomainError {
  return new DomainError('unavailable', 'store-unavailable', 'the account cannot be found now', [], { cause });
}
