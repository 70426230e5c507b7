import type { DeveloperId } from '../../domain/access.js';
import {
  canAccept,
  copyOfDeveloper,
  isActiveOperator,
  signInKey,
  signInNameTaken,
  type Developer,
  type Invitation,
} from '../../domain/developer.js';
import type { Activation, DeveloperQuery, DeveloperRepository, OperatorRule, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import {
  developerIdKey,
  publicNameKeys,
  publicNamePart,
  publicNameTaken,
  type PublicNameKeys,
} from '../../domain/public-name.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { partBefore } from './part-before.js';

/** Developers in maps; a process's own, and gone with it. */
export class InMemoryDeveloperRepository implements DeveloperRepository {
  readonly #developers = new Map<DeveloperId, Developer>();
  readonly #named = new Map<string, DeveloperId>();
  readonly #folded = new Map<string, DeveloperId>();
  readonly #skeletons = new Map<string, DeveloperId>();
  readonly #ids = new Map<string, ReadonlySet<DeveloperId>>();
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

  async findShownAs(id: DeveloperId): Promise<Developer | undefined> {
    const shown = this.#skeletons.get(developerIdKey(id));
    return shown && this.find(shown);
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
    return this.#activeOperators().length;
  }

  async register(id: DeveloperId, at: Date): Promise<boolean> {
    if (this.#developers.has(id)) return false;
    this.#add(id, at);
    return true;
  }

  async invite(id: DeveloperId, invitation: Invitation, at: Date, role?: Role): Promise<void> {
    const developer = this.#developers.get(id) ?? this.#add(id, at);
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

  async suspend(id: DeveloperId, at: Date, rule: OperatorRule): Promise<Developer | 'last-operator' | undefined> {
    return this.#changeRights(id, (developer) => ({ suspendedAt: at, ...developer }), rule);
  }

  async setRole(id: DeveloperId, role: Role, rule: OperatorRule): Promise<Developer | 'last-operator' | undefined> {
    return this.#changeRights(id, (developer) => ({ ...developer, role }), rule);
  }

  async setProfile(id: DeveloperId, profile: Profile): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer === undefined) return false;
    if (profile.publicName !== developer.publicName) this.#showAs(developer, profile.publicName);
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

  async rename(id: DeveloperId, signInName: string): Promise<Developer | undefined> {
    const developer = this.#developers.get(id);
    if (developer?.signInName === undefined) return undefined;
    this.#rename(developer, signInName);
    return this.#change(id, (one) => ({ ...one, signInName }));
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

  /** Does the same, but keeps the last operator if the rule says so. */
  #changeRights(
    id: DeveloperId,
    change: (developer: Developer) => Developer,
    { keepOneOperator }: OperatorRule,
  ): Developer | 'last-operator' | undefined {
    const developer = this.#developers.get(id);
    const isTaken = developer && isActiveOperator(developer) && !isActiveOperator(change(developer));
    if (keepOneOperator && isTaken && this.#activeOperators().length === 1) return 'last-operator';
    return this.#change(id, change);
  }

  #activeOperators(): readonly Developer[] {
    return Array.from(this.#developers.values()).filter(isActiveOperator);
  }

  #add(id: DeveloperId, at: Date): Developer {
    const developer = { id, role: DEFAULT_ROLE, addedAt: at };
    const key = developerIdKey(id);
    this.#ids.set(key, new Set(this.#ids.get(key)).add(id));
    this.#keep(developer);
    return developer;
  }

  /** Returns the ids of the developers of whom a name contains the text. */
  #idsOf(text: string): ReadonlySet<DeveloperId> {
    const [signIn, shown] = [signInKey(text), publicNamePart(text)];
    return new Set([
      ...Array.from(this.#developers.keys()).filter((id) => lowerCase(id).includes(lowerCase(text))),
      ...holdersIn(this.#named, signIn),
      ...(shown === '' ? [] : holdersIn(this.#folded, shown)),
    ]);
  }

  #showAs({ id, publicName: shown }: Developer, publicName?: string): void {
    const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
    if (keys !== undefined && this.#holdersOf(keys).some((holder) => holder !== id)) throw publicNameTaken();
    if (shown !== undefined) {
      this.#folded.delete(publicNameKeys(shown).folded);
      this.#skeletons.delete(publicNameKeys(shown).skeleton);
    }
    if (keys === undefined) return;
    this.#folded.set(keys.folded, id);
    this.#skeletons.set(keys.skeleton, id);
  }

  /** Returns the developers who are shown by a name with one of these keys. */
  #holdersOf({ folded, skeleton }: PublicNameKeys): readonly DeveloperId[] {
    const named = [this.#folded.get(folded), this.#skeletons.get(skeleton)].filter((id) => id !== undefined);
    return [...named, ...(this.#ids.get(skeleton) ?? [])];
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
