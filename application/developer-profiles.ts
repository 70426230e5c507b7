import { requireCaller, type Caller, type DeveloperId } from '../domain/access.js';
import { DomainError, Violations } from '../domain/errors.js';
import type { DeveloperRepository } from '../domain/ports.js';
import {
  checkPublicName,
  checkWebsite,
  publicDeveloper,
  type Profile,
  type PublicDeveloper,
} from '../domain/public-developer.js';
import type { AuditTrail } from './audit-trail.js';
import { sha256 } from './defaults.js';

/** A profile as it was typed. A field that is missing or blank is left out. */
export interface UncheckedProfile {
  readonly publicName?: unknown;
  readonly website?: unknown;
}

/** What developers say of themselves, and how everyone may see them. */
export class DeveloperProfiles {
  /** Uses the developers of one store; the audit is told of each change. */
  constructor(
    private readonly developers: Pick<DeveloperRepository, 'find' | 'setProfile'>,
    private readonly audit?: AuditTrail,
  ) {}

  /** Returns how a developer is shown in public, also one without an account. */
  async show(id: DeveloperId): Promise<PublicDeveloper> {
    return publicDeveloper(id, await this.developers.find(id), sha256);
  }

  /**
   * Replaces the caller's public name and website. Fails as `invalid`, as `conflict` when another developer has the
   * public name, or as `not-found` without an account.
   */
  async change(by: Caller, unchecked: UncheckedProfile): Promise<void> {
    requireCaller(by);
    const profile = parseProfile(unchecked);
    if (!(await this.developers.setProfile(by.developerId, profile)))
      throw new DomainError('not-found', 'no-such-developer', 'there is no account with this name');
    await this.audit?.recordBy(by, 'profile-changed', by.developerId);
  }
}

function parseProfile({ publicName, website }: UncheckedProfile): Profile {
  const violations = new Violations();
  const name = isBlank(publicName) ? undefined : checkPublicName(publicName, violations.field('publicName'));
  const address = isBlank(website) ? undefined : checkWebsite(website, violations.field('website'));
  violations.throwIfAny('the profile');
  return { ...(name !== undefined && { publicName: name }), ...(address !== undefined && { website: address }) };
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}
