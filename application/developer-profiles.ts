import { developerId, requirePerson, type DeveloperId, type Person } from '../domain/access.js';
import { Violations } from '../domain/errors.js';
import type { DeveloperRepository } from '../domain/ports.js';
import { checkWebsite, publicDeveloper, type Profile, type PublicDeveloper } from '../domain/public-developer.js';
import { checkPublicName } from '../domain/public-name.js';
import { isBlank } from '../domain/text.js';
import { Context, type ContextOptions } from './context.js';

/** A profile as it was typed. A field that is missing or blank is left out. */
export interface UncheckedProfile {
  readonly publicName?: unknown;
  readonly website?: unknown;
}

/** The audit, the clock, and the name of the marketplace. */
export interface DeveloperProfilesOptions extends ContextOptions {
  /** The name that the pages have. No developer has it, or one that looks like it. */
  readonly brandName?: string | undefined;
}

/** What developers say of themselves, and how everyone may see them. */
export class DeveloperProfiles {
  readonly #context: Context;

  /** Uses the developers of one store. */
  constructor(
    private readonly developers: Pick<DeveloperRepository, 'find' | 'register' | 'setProfile'>,
    private readonly options: DeveloperProfilesOptions = {},
  ) {
    this.#context = new Context(options);
  }

  /** Returns how a developer is shown in public, also one without an account. */
  async show(id: DeveloperId): Promise<PublicDeveloper> {
    return publicDeveloper(id, await this.developers.find(id));
  }

  /** Returns how the developer with this name in addresses is shown; undefined when no developer can have it. */
  async find(name: string): Promise<PublicDeveloper | undefined> {
    const id = developerId(name);
    return id && this.show(id);
  }

  /**
   * Replaces the person's public name and website. Fails as `invalid`, also for a public name that is kept for the
   * marketplace or mixes scripts in a word; or as `conflict` when the public name is that of another developer or
   * looks like it.
   */
  async change(by: Person, unchecked: UncheckedProfile): Promise<void> {
    requirePerson(by);
    const profile = parseProfile(unchecked, this.options.brandName);
    const change = { profile, ...this.#context.audited(by, 'profile-changed', by.developerId) };
    if (await this.developers.setProfile(by.developerId, change)) return;
    await this.developers.register(by.developerId, this.#context.addition(by, by.developerId));
    await this.developers.setProfile(by.developerId, change);
  }
}

function parseProfile({ publicName, website }: UncheckedProfile, brandName?: string): Profile {
  const violations = new Violations();
  const report = violations.field('publicName');
  const name = isBlank(publicName) ? undefined : checkPublicName(publicName, report, brandName);
  const address = isBlank(website) ? undefined : checkWebsite(website, violations.field('website'));
  violations.throwIfAny('the profile');
  return { ...(name !== undefined && { publicName: name }), ...(address !== undefined && { website: address }) };
}
