import { developerId, isOfIssuer, type DeveloperId } from '../domain/access.js';
import type { AutomationArchive } from '../domain/ports.js';
import { publicSlug, type PublicDeveloper } from '../domain/public-developer.js';
import { archiveLots } from './archive-lots.js';
import { now, sha256 } from './defaults.js';
import type { DeveloperProfiles } from './developer-profiles.js';

/** A developer as the catalogue shows them. */
export interface CatalogueDeveloper extends PublicDeveloper {
  readonly id: DeveloperId;
}

const TOKEN_SLUG = /^token-[0-9a-f]{12}$/;
/** The time between two scans: at least a minute, and at least 20 times as long as a scan takes. */
const MIN_PAUSE_MS = 60_000;
const PAUSES_PER_SCAN = 20;

/** Finds developers by their names in public addresses. */
export class CatalogueDevelopers {
  /** The developers of an issuer, by the slugs that were shown or found. */
  readonly #ofTokens = new Map<string, DeveloperId>();
  #scanning: Promise<void> | undefined;
  #pausedUntil = -Infinity;

  /** Reads profiles and what is on sale in one store. */
  constructor(
    private readonly profiles: Pick<DeveloperProfiles, 'show'>,
    private readonly archive: Pick<AutomationArchive, 'scan'>,
    private readonly clock: () => Date = now,
  ) {}

  /** Returns how a developer is shown. */
  async show(id: DeveloperId): Promise<CatalogueDeveloper> {
    const developer = { id, ...(await this.profiles.show(id)) };
    if (isOfIssuer(id)) this.#ofTokens.set(developer.slug, id);
    return developer;
  }

  /** Returns the developer with this name in addresses; may be undefined. */
  async find(slug: string): Promise<CatalogueDeveloper | undefined> {
    const id = TOKEN_SLUG.test(slug) ? await this.#ofToken(slug) : developerId(slug);
    return id !== undefined && slugOf(id) === slug ? this.show(id) : undefined;
  }

  /**
   * Returns the developer of an issuer with this slug. A slug is a hash, so resolving one scans all automations on
   * sale: once for all requests that wait for it, and for a twentieth of the time at most.
   */
  async #ofToken(slug: string): Promise<DeveloperId | undefined> {
    if (!this.#ofTokens.has(slug) && this.#time() >= this.#pausedUntil) {
      this.#scanning ??= this.#scan().finally(() => (this.#scanning = undefined));
      await this.#scanning;
    }
    return this.#ofTokens.get(slug);
  }

  async #scan(): Promise<void> {
    const begun = this.#time();
    for await (const lot of archiveLots(this.archive, { status: 'on-sale', order: 'newest-first' }))
      for (const { automation } of lot) this.#store(automation.developerId);
    const ended = this.#time();
    this.#pausedUntil = ended + Math.max(MIN_PAUSE_MS, PAUSES_PER_SCAN * (ended - begun));
  }

  #store(id: DeveloperId): void {
    if (isOfIssuer(id)) this.#ofTokens.set(slugOf(id), id);
  }

  #time(): number {
    return this.clock().getTime();
  }
}

function slugOf(id: DeveloperId): string {
  return publicSlug(id, sha256);
}
