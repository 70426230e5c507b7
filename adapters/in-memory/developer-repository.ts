import type { DeveloperId } from '../../domain/access.js';
import {
  canAccept,
  copyOfDeveloper,
  signInKey,
  signInNameTaken,
  statusOf,
  type Developer,
  type Invitation,
} from '../../domain/developer.js';
import type { Activation, DeveloperQuery, DeveloperRepository, SignIn } from '../../domain/ports.js';
import { publicNameKey, publicNameTaken, type Profile } from '../../domain/public-developer.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { partBefore } from './part-before.js';

/** Developers in maps; a process's own, and gone with it. */
export class InMemoryDeveloperRepository implements DeveloperRepository {
  readonly #developers = new Map<DeveloperId, Developer>();
  readonly #named = new Map<string, DeveloperId>();
  readonly #public = new Map<string, DeveloperId>();
  readonly #invited = new Map<string, DeveloperId>();

  async find(id: DeveloperId): Promise<Developer | undefined> {
    const developer = this.#developers.get(id);
    return developer && copyOfDeveloper(developer);
  }

  async findBySignInName(name: string): Promise<Developer | undefined> {
    const id = this.#named.get(signInKey(name));
    return id && this.find(id);
  }

  async findByInvitation(hash: string): Promise<Developer | undefined> {
    const id = this.#invited.get(hash);
    return id && this.find(id);
  }

  async list({ text, ...query }: DeveloperQuery): Promise<readonly Developer[]> {
    const latest = Array.from(this.#developers.values()).reverse();
    const found = text === undefined ? undefined : this.#idsOf(text);
    return partBefore(latest, query, ({ id }) => found?.has(id) ?? true).map(copyOfDeveloper);
  }

  async count(text?: string): Promise<number> {
    return text === undefined ? this.#developers.size : this.#idsOf(text).size;
  }

  async countOperators(): Promise<number> {
    const operators = Array.from(this.#developers.values()).filter(({ role }) => role === 'operator');
    return operators.filter((operator) => statusOf(operator) === 'active').length;
  }

  async invite(id: DeveloperId, invitation: Invitation, at: Date, role?: Role): Promise<void> {
    const developer = this.#developers.get(id) ?? { id, role: DEFAULT_ROLE, invitedAt: at };
    if (developer.invitation) this.#invited.delete(developer.invitation.hash);
    this.#invited.set(invitation.hash, id);
    this.#keep({ ...developer, invitation, ...(role && { role }) });
  }

  async activate(invitationHash: string, { signInName, passwordHash, at }: Activation): Promise<boolean> {
    const developer = this.#developers.get(this.#invited.get(invitationHash) ?? ('' as DeveloperId));
    if (developer === undefined || !canAccept(developer, at)) return false;
    this.#rename(developer, signInName);
    this.#invited.delete(invitationHash);
    this.#keep({
      ...without(['invitation'], developer),
      signInName,
      passwordHash,
      activeSince: developer.activeSince ?? at,
    });
    return true;
  }

  async suspend(id: DeveloperId, at: Date): Promise<Developer | undefined> {
    return this.#change(id, (developer) => ({ suspendedAt: at, ...developer }));
  }

  async setRole(id: DeveloperId, role: Role): Promise<Developer | undefined> {
    return this.#change(id, (developer) => ({ ...developer, role }));
  }

  async setProfile(id: DeveloperId, profile: Profile): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer === undefined) return false;
    const key = profile.publicName === undefined ? undefined : publicNameKey(profile.publicName);
    if (key !== undefined && (this.#public.get(key) ?? id) !== id) throw publicNameTaken();
    if (developer.publicName !== undefined) this.#public.delete(publicNameKey(developer.publicName));
    if (key !== undefined) this.#public.set(key, id);
    this.#keep({ ...without(['publicName', 'website'], developer), ...profile });
    return true;
  }

  async changeSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer?.passwordHash !== current) return false;
    this.#rename(developer, signInName);
    this.#keep({ ...developer, signInName, passwordHash });
    return true;
  }

  async restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.#change(id, (developer) => without(['suspendedAt'], developer));
  }

  /** Returns the developer as they were before. */
  #change(id: DeveloperId, change: (developer: Developer) => Developer): Developer | undefined {
    const developer = this.#developers.get(id);
    if (developer !== undefined) this.#keep(change(developer));
    return developer && copyOfDeveloper(developer);
  }

  /** Returns the ids of the developers of whom a name contains the text. */
  #idsOf(text: string): ReadonlySet<DeveloperId> {
    const [signIn, words] = [signInKey(text), publicNameKey(text)];
    return new Set([
      ...Array.from(this.#developers.keys()).filter((id) => lowerCase(id).includes(lowerCase(text))),
      ...holdersIn(this.#named, signIn),
      ...(words === '' ? [] : holdersIn(this.#public, words)),
    ]);
  }

  #rename({ id, signInName: earlier }: Developer, signInName: string): void {
    if ((this.#named.get(signInKey(signInName)) ?? id) !== id) throw signInNameTaken();
    if (earlier !== undefined) this.#named.delete(signInKey(earlier));
    this.#named.set(signInKey(signInName), id);
  }

  #keep(developer: Developer): void {
    this.#developers.set(developer.id, copyOfDeveloper(developer));
  }
}

function holdersIn(holders: ReadonlyMap<string, DeveloperId>, part: string): readonly DeveloperId[] {
  return Array.from(holders).flatMap(([key, id]) => (key.includes(part) ? [id] : []));
}

/** Returns the text with the letters of ASCII in lower case. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function without(fields: readonly (keyof Developer)[], developer: Developer): Developer {
  const kept = Object.entries(developer).filter(([name]) => !fields.some((field) => field === name));
  return Object.fromEntries(kept) as unknown as Developer;
}
