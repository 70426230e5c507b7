import type { DeveloperId } from '../../domain/access.js';
import {
  canAccept,
  copyOfDeveloper,
  signInKey,
  signInNameTaken,
  type Developer,
  type Invitation,
} from '../../domain/developer.js';
import type { Activation, DeveloperRepository } from '../../domain/ports.js';

/** Developers in maps; a process's own, and gone with it. */
export class InMemoryDeveloperRepository implements DeveloperRepository {
  readonly #developers = new Map<DeveloperId, Developer>();
  readonly #named = new Map<string, DeveloperId>();
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

  async list(): Promise<readonly Developer[]> {
    return Array.from(this.#developers.values(), copyOfDeveloper);
  }

  async invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void> {
    const developer = this.#developers.get(id) ?? { id, invitedAt: at };
    if (developer.invitation) this.#invited.delete(developer.invitation.hash);
    this.#invited.set(invitation.hash, id);
    this.#keep({ ...developer, invitation });
  }

  async activate(invitationHash: string, { signInName, passwordHash, at }: Activation): Promise<boolean> {
    const developer = this.#developers.get(this.#invited.get(invitationHash) ?? ('' as DeveloperId));
    if (developer === undefined || !canAccept(developer, at)) return false;
    const holder = this.#named.get(signInKey(signInName)) ?? developer.id;
    if (holder !== developer.id) throw signInNameTaken();
    if (developer.signInName !== undefined) this.#named.delete(signInKey(developer.signInName));
    this.#named.set(signInKey(signInName), developer.id);
    this.#invited.delete(invitationHash);
    this.#keep({
      ...without('invitation', developer),
      signInName,
      passwordHash,
      activeSince: developer.activeSince ?? at,
    });
    return true;
  }

  async suspend(id: DeveloperId, at: Date): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer !== undefined) this.#keep({ suspendedAt: at, ...developer });
    return developer !== undefined;
  }

  async restore(id: DeveloperId): Promise<boolean> {
    const developer = this.#developers.get(id);
    if (developer !== undefined) this.#keep(without('suspendedAt', developer));
    return developer !== undefined;
  }

  #keep(developer: Developer): void {
    this.#developers.set(developer.id, copyOfDeveloper(developer));
  }
}

function without(field: 'invitation' | 'suspendedAt', developer: Developer): Developer {
  return Object.fromEntries(Object.entries(developer).filter(([name]) => name !== field)) as unknown as Developer;
}
