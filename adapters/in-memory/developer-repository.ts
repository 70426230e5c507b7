import type { DeveloperId } from '../../domain/access.js';
import {
  activated,
  canAccept,
  copyOfDeveloper,
  isActiveOperator,
  signInKey,
  signInNameTaken,
  type Developer,
} from '../../domain/developer.js';
import { identityKey, type DeveloperIdentity, type Identity } from '../../domain/identity.js';
import type {
  Activation,
  Audited,
  DeveloperAddition,
  DeveloperQuery,
  DeveloperRepository,
  IdentifiedDeveloper,
  NewInvitation,
  RoleChange,
  SignIn,
  SignInReplacement,
  DeveloperSuspension,
} from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import {
  developerIdKey,
  publicNameKeys,
  publicNamePart,
  publicNameTaken,
  type PublicNameKeys,
} from '../../domain/public-name.js';
import { DEFAULT_ROLE } from '../../domain/role.js';
import { MAX_SESSIONS } from '../../domain/session.js';
import { InMemoryAuditLog } from './audit-log.js';
import { partBefore } from './part-before.js';
import { InMemorySessionRepository } from './session-repository.js';

/** Developers in maps; a process's own, and gone with it. */
export class InMemoryDeveloperRepository implements DeveloperRepository {
  readonly #developers = new Map<DeveloperId, Developer>();
  readonly #named = new Map<string, DeveloperId>();
  readonly #folded = new Map<string, DeveloperId>();
  readonly #skeletons = new Map<string, DeveloperId>();
  readonly #ids = new Map<string, ReadonlySet<DeveloperId>>();
  readonly #invited = new Map<string, DeveloperId>();
  readonly #identities = new Map<string, DeveloperIdentity>();

  /** Takes the sessions that start and end with changes of developers, and the log that gets their entries. */
  constructor(
    private readonly sessions = new InMemorySessionRepository(),
    private readonly auditLog = new InMemoryAuditLog(),
  ) {}

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

  async register(id: DeveloperId, { at, entries }: DeveloperAddition): Promise<boolean> {
    if (this.#developers.has(id)) return false;
    this.#add(id, at);
    await this.auditLog.append(entries);
    return true;
  }

  async findByIdentity(identity: Identity): Promise<Developer | undefined> {
    const { developerId } = this.#identities.get(identityKey(identity)) ?? {};
    return developerId && this.find(developerId);
  }

  async listIdentities(ids: readonly DeveloperId[]): Promise<readonly DeveloperIdentity[]> {
    return Array.from(this.#identities.values())
      .filter(({ developerId }) => ids.includes(developerId))
      .map((known) => ({ ...known }));
  }

  async identify({ issuer, subject }: Identity, { id, at, entries }: IdentifiedDeveloper): Promise<Developer> {
    const key = identityKey({ issuer, subject });
    const holder = this.#developers.get(this.#identities.get(key)?.developerId ?? ('' as DeveloperId));
    if (holder !== undefined) return copyOfDeveloper(holder);
    const developer = this.#developers.get(id) ?? this.#add(id, at);
    this.#identities.set(key, { issuer, subject, developerId: id });
    await this.auditLog.append(entries);
    return copyOfDeveloper(developer);
  }

  async invite(id: DeveloperId, { invitation, at, role, isForEmergencies, keepOneOperator, entries }: NewInvitation) {
    const before = this.#developers.get(id);
    if (keepOneOperator && this.#isLast(before, role !== undefined && role !== 'operator')) return 'last-operator';
    const developer = { ...(before ?? this.#add(id, at)), ...(isForEmergencies && { emergencySince: at }) };
    if (developer.invitation) this.#invited.delete(developer.invitation.hash);
    this.#invited.set(invitation.hash, id);
    this.#keep({ ...developer, invitation, ...(role && { role }) });
    await this.auditLog.append(entries);
    return before && copyOfDeveloper(before);
  }

  async activate(invitationHash: string, { session, entries, ...activation }: Activation): Promise<boolean> {
    const developer = this.#developers.get(this.#invited.get(invitationHash) ?? ('' as DeveloperId));
    if (developer === undefined || !canAccept(developer, activation.at)) return false;
    this.sessions.requireFree(session.hash);
    this.#rename(developer, activation.signInName);
    this.#invited.delete(invitationHash);
    this.#keep(activated(developer, activation));
    this.sessions.start({ ...session, developerId: developer.id }, 0);
    await this.auditLog.append(entries);
    return true;
  }

  async signIn(id: DeveloperId, { passwordHash, session, entries }: SignIn): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer === undefined || developer.suspendedAt !== undefined) return false;
    if ((passwordHash ?? developer.passwordHash) !== developer.passwordHash) return false;
    this.sessions.requireFree(session.hash);
    this.#keep({ activeSince: session.createdAt, ...developer });
    this.sessions.start({ ...session, developerId: id }, MAX_SESSIONS - 1);
    await this.auditLog.append(entries);
    return true;
  }

  async suspend(id: DeveloperId, { at, keepOneOperator, entries }: DeveloperSuspension) {
    const developer = this.#developers.get(id);
    if (keepOneOperator && this.#isLast(developer, true)) return 'last-operator';
    this.sessions.endOthers(id);
    return this.#change(developer, developer?.suspendedAt === undefined ? { suspendedAt: at } : undefined, entries);
  }

  async setRole(id: DeveloperId, { role, keepOneOperator, entries }: RoleChange) {
    const developer = this.#developers.get(id);
    if (keepOneOperator && this.#isLast(developer, role !== 'operator')) return 'last-operator';
    return this.#change(developer, developer?.role === role ? undefined : { role }, entries);
  }

  async setProfile(id: DeveloperId, { profile, entries }: Audited & { readonly profile: Profile }): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer === undefined) return false;
    if (profile.publicName !== developer.publicName) this.#showAs(developer, profile.publicName);
    this.#keep({ ...without(['publicName', 'website'], developer), ...profile });
    await this.auditLog.append(entries);
    return true;
  }

  async changeSignIn(id: DeveloperId, change: SignInReplacement): Promise<boolean> {
    const { current, signInName, passwordHash, keptSession, entries } = change;
    const developer = this.#developers.get(id);
    if (developer?.passwordHash !== current) return false;
    this.#rename(developer, signInName);
    this.#keep({ ...developer, signInName, passwordHash });
    if (passwordHash !== current) this.sessions.endOthers(id, keptSession);
    await this.auditLog.append(entries);
    return true;
  }

  async rename(id: DeveloperId, { signInName, entries }: Audited & { readonly signInName: string }) {
    const developer = this.#developers.get(id);
    if (developer?.signInName === undefined) return undefined;
    this.#rename(developer, signInName);
    return this.#change(developer, developer.signInName === signInName ? undefined : { signInName }, entries);
  }

  async restore({ id, entries }: Audited & { readonly id: DeveloperId }): Promise<Developer | undefined> {
    const developer = this.#developers.get(id);
    if (developer?.suspendedAt === undefined) return developer && copyOfDeveloper(developer);
    this.#keep(without(['suspendedAt'], developer));
    await this.auditLog.append(entries);
    return copyOfDeveloper(developer);
  }

  /** Changes a developer, if there is something to change, and returns them as they were before. */
  async #change(
    developer: Developer | undefined,
    change: Partial<Developer> | undefined,
    entries: Audited['entries'],
  ): Promise<Developer | undefined> {
    if (developer === undefined) return undefined;
    if (change === undefined) return copyOfDeveloper(developer);
    this.#keep({ ...developer, ...change });
    await this.auditLog.append(entries);
    return copyOfDeveloper(developer);
  }

  /** Returns whether no operator is left when this developer is none any more. */
  #isLast(developer: Developer | undefined, isNone: boolean): boolean {
    return developer !== undefined && isNone && isActiveOperator(developer) && this.#activeOperators().length === 1;
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

  /** Returns the ids of the developers with a name that contains the text, or with this subject. */
  #idsOf(text: string): ReadonlySet<DeveloperId> {
    const [signIn, shown] = [signInKey(text), publicNamePart(text)];
    return new Set([
      ...Array.from(this.#developers.keys()).filter((id) => lowerCase(id).includes(lowerCase(text))),
      ...holdersIn(this.#named, signIn),
      ...(shown === '' ? [] : holdersIn(this.#folded, shown)),
      ...Array.from(this.#identities.values()).flatMap((known) => (known.subject === text ? known.developerId : [])),
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
