import { developerId, isOfIssuer, type DeveloperId } from '../domain/access.js';
import type { AutomationArchive } from '../domain/ports.js';
import { publicSlug, type PublicDeveloper } from '../domain/public-developer.js';
import { now, sha256 } from './defaults.js';
import type { DeveloperProfiles } from './developer-profiles.js';

/** A developer as the catalogue shows them. */
export interface CatalogueDeveloper extends PublicDeveloper {
  readonly id: DeveloperId;
}

const TOKEN_SLUG = /^token-[0-9a-f]{12}$/;
const PART_SIZE = 1_000;
/** How long what was not found is not looked for again. */
const SCAN_EVERY_MS = 60_000;

/** Finds developers by their names in public addresses. */
export class CatalogueDevelopers {
  readonly #ofTokens = new Map<string, DeveloperId>();
  #scanning: Promise<void> | undefined;
  #scannedAt = -Infinity;

  /** Reads profiles and what is on sale in one store. */
  constructor(
    private readonly profiles: Pick<DeveloperProfiles, 'show'>,
    private readonly archive: Pick<AutomationArchive, 'scan'>,
    private readonly clock: () => Date = now,
  ) {}

  /** Returns how a developer is shown. */
  async show(id: DeveloperId): Promise<CatalogueDeveloper> {
    return { id, ...(await this.profiles.show(id)) };
  }

  /** Returns the developer with this name in addresses; may be undefined. */
  async find(slug: string): Promise<CatalogueDeveloper | undefined> {
    const id = TOKEN_SLUG.test(slug) ? await this.#ofToken(slug) : developerId(slug);
    return id !== undefined && slugOf(id) === slug ? this.show(id) : undefined;
  }

  /** Nothing is found by a hash but by looking at everyone: at most once a minute, for all who ask together. */
  async #ofToken(slug: string): Promise<DeveloperId | undefined> {
    if (!this.#ofTokens.has(slug) && this.clock().getTime() - this.#scannedAt >= SCAN_EVERY_MS) {
      this.#scanning ??= this.#scan().finally(() => (this.#scanning = undefined));
      await this.#scanning;
    }
    return this.#ofTokens.get(slug);
  }

  async #scan(): Promise<void> {
    const scan = { status: 'on-sale', order: 'newest-first', limit: PART_SIZE } as const;
    for (let part = await this.archive.scan(scan); ;) {
      for (const { automation } of part) {
        const { developerId: id } = automation;
        if (isOfIssuer(id)) this.#ofTokens.set(slugOf(id), id);
      }
      const last = part.at(-1);
      if (last === undefined || part.length < PART_SIZE) break;
      part = await this.archive.scan({ ...scan, after: last.automation.id });
    }
    this.#scannedAt = this.clock().getTime();
  }
}

function slugOf(id: DeveloperId): string {
  return publicSlug(id, sha256);
}
