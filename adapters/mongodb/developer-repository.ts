import { ObjectId, type Db, type Document, type Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperRepository } from '../../domain/ports.js';
import { collectionsOf, type Collections } from './collections.js';
import { type DeveloperDocument } from './documents.js';
import { isDuplicate } from './failures.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';

/** Developers in MongoDB. */
export class MongoDeveloperRepository implements DeveloperRepository {
  readonly #developers: Collections['developers'];

  /** Over a database that `prepareMongo` has prepared. Its client is not closed. */
  constructor(private readonly db: Db) {
    this.#developers = collectionsOf(db).developers;
  }

  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.#findOne({ _id: id });
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.#findOne({ sign_in_key: signInKey(name) });
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.#findOne({ 'invitation.hash': hash });
  }

  async list(): Promise<readonly Developer[]> {
    const documents = await reading((signal) =>
      this.#developers
        .find({}, { ...READ_ALL, signal })
        .sort({ position: 1 })
        .toArray(),
    );
    return documents.map(developerOf);
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date): Promise<void> {
    const invited = {
      $set: { invitation: { hash, until } },
      $setOnInsert: { position: new ObjectId(), invited_at: at },
    };
    await writing(this.db.client, () => this.#developers.updateOne({ _id: id }, invited, { ...WRITE, upsert: true }));
  }

  async activate(invitationHash: string, activation: Activation): Promise<boolean> {
    const good: Filter<DeveloperDocument> = {
      'invitation.hash': invitationHash,
      'invitation.until': { $gt: activation.at },
      suspended_at: { $exists: false },
    };
    return writing(this.db.client, async (again) => {
      const { matchedCount } = await this.#developers.updateOne(good, activated(activation), WRITE).catch(refuseName);
      return matchedCount > 0 || (again && (await this.#hasBeen(activation)));
    });
  }

  suspend(id: DeveloperId, at: Date): Promise<boolean> {
    return this.#change(id, [{ $set: { suspended_at: { $ifNull: ['$suspended_at', at] } } }]);
  }

  restore(id: DeveloperId): Promise<boolean> {
    return this.#change(id, [{ $unset: 'suspended_at' }]);
  }

  async #findOne(filter: Filter<DeveloperDocument>): Promise<Developer | undefined> {
    const document = await reading((signal) => this.#developers.findOne(filter, { ...READ, signal }));
    return document === null ? undefined : developerOf(document);
  }

  async #change(id: DeveloperId, change: Document[]): Promise<boolean> {
    const { matchedCount } = await writing(this.db.client, () =>
      this.#developers.updateOne({ _id: id }, change, WRITE),
    );
    return matchedCount > 0;
  }

  /**
   * Tried again after a try without an answer: a password hash has a salt of its own, so only that try can have stored
   * it.
   */
  async #hasBeen({ signInName, passwordHash }: Activation): Promise<boolean> {
    const developer = await this.findBySignInName(signInName);
    return developer?.passwordHash === passwordHash;
  }
}

/** A pipeline, in which a text that starts with a dollar sign would else be the name of a field. */
function activated({ signInName, passwordHash, at }: Activation): Document[] {
  return [
    {
      $set: {
        sign_in_name: { $literal: signInName },
        sign_in_key: { $literal: signInKey(signInName) },
        password_hash: { $literal: passwordHash },
        active_since: { $ifNull: ['$active_since', at] },
      },
    },
    { $unset: 'invitation' },
  ];
}

function refuseName(error: unknown): never {
  throw isDuplicate(error) ? signInNameTaken() : error;
}

function developerOf(document: DeveloperDocument): Developer {
  return {
    id: document._id,
    invitedAt: document.invited_at,
    ...(document.invitation && { invitation: document.invitation }),
    ...(document.sign_in_name !== undefined && { signInName: document.sign_in_name }),
    ...(document.password_hash !== undefined && { passwordHash: document.password_hash }),
    ...(document.active_since && { activeSince: document.active_since }),
    ...(document.suspended_at && { suspendedAt: document.suspended_at }),
  };
}
