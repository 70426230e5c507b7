import type { DeveloperId } from '../domain/access.js';
import { copyOfDeveloper, type Developer, type Invitation } from '../domain/developer.js';
import type { Activation, DeveloperRepository } from '../domain/ports.js';
import { Lookups, type CachingOptions } from './lookups.js';

/**
 * A repository around a repository that remembers who has which id, for 5 seconds unless told otherwise, since every request asks whether
 * its developer is suspended. What changes a developer through it is seen at once; what changes one elsewhere, when the time is up.
 */
export class CachingDeveloperRepository implements DeveloperRepository {
  readonly #lookups: Lookups<Developer>;

  /** Around the developers of one store. */
  constructor(
    private readonly inner: DeveloperRepository,
    options: CachingOptions = {},
  ) {
    this.#lookups = new Lookups(options);
  }

  async find(id: DeveloperId): Promise<Developer | undefined> {
    const developer = await this.#lookups.find(id, () => this.inner.find(id));
    return developer && copyOfDeveloper(developer);
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.inner.findBySignInName(name);
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.inner.findByInvitation(hash);
  }

  list(): Promise<readonly Developer[]> {
    return this.inner.list();
  }

  invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void> {
    return this.#lookups.forgettingAll(this.inner.invite(id, invitation, at));
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.activate(invitationHash, activation));
  }

  suspend(id: DeveloperId, at: Date): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.suspend(id, at));
  }

  restore(id: DeveloperId): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.restore(id));
  }
}
