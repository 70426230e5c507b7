import { ObjectId, type Db, type Document, type Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { signInKey, signInNameTaken, type Developer, type Invitation } from '../../domain/developer.js';
import type { DomainError } from '../../domain/errors.js';
import type { Activation, DeveloperQuery, DeveloperRepository, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import { developerIdKey, publicNameKeys, publicNamePart, publicNameTaken } from '../../domain/public-name.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { collectionsOf, type Collections } from './collections.js';
import { type DeveloperDocument } from './documents.js';
import { isDuplicate } from './failures.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';

/** Developers in MongoDB. */
export class MongoDeveloperRepository implements DeveloperRepository {
  readonly #developers: Collections['developers'];

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
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

  findShownAs(id: DeveloperId): Promise<Developer | undefined> {
    return this.#findOne({ public_name_skeleton: developerIdKey(id) });
  }

  async list({ text, limit, before }: DeveloperQuery): Promise<readonly Developer[]> {
    const options = { ...READ_ALL, sort: { position: -1 }, limit } as const;
    const documents = await reading(async (signal) => {
      const known = before && (await this.#developers.findOne({ _id: before }, { ...READ, signal }));
      if (known === null) return [];
      const filter = { ...(known && { position: { $lt: known.position } }), ...(text !== undefined && named(text)) };
      return this.#developers.find(filter, { ...options, signal }).toArray();
    });
    return documents.map(developerOf);
  }

  count(text?: string): Promise<number> {
    return this.#count(text === undefined ? {} : named(text));
  }

  countOperators(): Promise<number> {
    const operators = { role: 'operator', active_since: { $exists: true }, suspended_at: { $exists: false } } as const;
    return this.#count(operators);
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): Promise<void> {
    const invited = {
      $set: { invitation: { hash, until }, ...(role && { role }) },
      $setOnInsert: { ...newDeveloper(id, at), ...(!role && { role: DEFAULT_ROLE }) },
    };
    await writing(this.db, () => this.#developers.updateOne({ _id: id }, invited, { ...WRITE, upsert: true }));
  }

  async activate(invitationHash: string, activation: Activation): Promise<boolean> {
    const good: Filter<DeveloperDocument> = {
      'invitation.hash': invitationHash,
      'invitation.until': { $gt: activation.at },
      suspended_at: { $exists: false },
    };
    return writing(this.db, async (again) => {
      const { matchedCount } = await this.#developers
        .updateOne(good, activated(activation), WRITE)
        .catch(refuse(signInNameTaken()));
      return matchedCount > 0 || (again && (await this.#hasBeen(activation)));
    });
  }

  suspend(id: DeveloperId, at: Date): Promise<Developer | undefined> {
    return this.#change(id, [{ $set: { suspended_at: { $ifNull: ['$suspended_at', at] } } }]);
  }

  setRole(id: DeveloperId, role: Role): Promise<Developer | undefined> {
    return this.#change(id, { $set: { role } });
  }

  async setProfile(id: DeveloperId, { publicName, website }: Profile): Promise<boolean> {
    const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
    if (keys !== undefined && (await this.#isIdOfAnother(keys.skeleton, id, publicName))) throw publicNameTaken();
    const names = { public_name: publicName, public_name_folded: keys?.folded, public_name_skeleton: keys?.skeleton };
    const fields = Object.entries({ ...names, website });
    const change = fields.map(([field, value]) =>
      value === undefined ? { $unset: field } : { $set: { [field]: { $literal: value } } },
    );
    const changed = this.#change(id, change).catch(refuse(publicNameTaken()));
    return changed.then((developer) => developer !== undefined);
  }

  changeSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): Promise<boolean> {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName), password_hash: passwordHash };
    return writing(this.db, async (again) => {
      const filter = { _id: id, password_hash: current };
      const { matchedCount } = await this.#developers
        .updateOne(filter, { $set }, WRITE)
        .catch(refuse(signInNameTaken()));
      return matchedCount > 0 || (again && (await this.#hasBeen({ signInName, passwordHash })));
    });
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.#change(id, [{ $unset: 'suspended_at' }]);
  }

  #count(filter: Filter<DeveloperDocument>): Promise<number> {
    return reading((signal) => this.#developers.countDocuments(filter, { ...READ, signal }));
  }

  /** Returns whether a new name of a developer looks like the id of another one. */
  async #isIdOfAnother(skeleton: string, id: DeveloperId, publicName?: string): Promise<boolean> {
    const other = await this.#findOne({ id_skeleton: skeleton, _id: { $ne: id } });
    const developer = other && (await this.find(id));
    return developer !== undefined && developer.publicName !== publicName;
  }

  async #findOne(filter: Filter<DeveloperDocument>): Promise<Developer | undefined> {
    const document = await reading((signal) => this.#developers.findOne(filter, { ...READ, signal }));
    return document === null ? undefined : developerOf(document);
  }

  /** Returns the developer as they were before. */
  async #change(id: DeveloperId, change: Document | Document[]): Promise<Developer | undefined> {
    const options = { ...WRITE, returnDocument: 'before' } as const;
    const before = await writing(this.db, () =>
      this.#developers.findOneAndUpdate({ _id: id }, change, options),
    );
    return before === null ? undefined : developerOf(before);
  }

  /**
   * Tried again after a try without an answer: a password hash has a salt of its own, so only that try can have stored
   * it.
   */
  async #hasBeen({ signInName, passwordHash }: SignIn): Promise<boolean> {
    const developer = await this.findBySignInName(signInName);
    return developer?.passwordHash === passwordHash;
  }
}

function newDeveloper(id: DeveloperId, at: Date): Document {
  return { position: new ObjectId(), invited_at: at, id_skeleton: developerIdKey(id) };
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

/** Returns the filter for developers of whom a name contains the text. */
function named(text: string): Filter<DeveloperDocument> {
  const shown = publicNamePart(text);
  return {
    $expr: {
      $or: [
        contains({ $toLower: '$_id' }, { $toLower: { $literal: text } }),
        contains('$sign_in_key', { $literal: signInKey(text) }),
        ...(shown === '' ? [] : [contains('$public_name_folded', { $literal: shown })]),
      ],
    },
  };
}

function contains(name: Document | string, part: Document): Document {
  return { $gte: [{ $indexOfCP: [name, part] }, 0] };
}

/** Returns a function that throws this error in place of one that says that a unique index has such a document. */
function refuse(taken: DomainError): (error: unknown) => never {
  return (error) => {
    throw isDuplicate(error) ? taken : error;
  };
}

function developerOf(document: DeveloperDocument): Developer {
  return {
    id: document._id,
    role: document.role ?? DEFAULT_ROLE,
    invitedAt: document.invited_at,
    ...(document.invitation && { invitation: document.invitation }),
    ...(document.sign_in_name !== undefined && { signInName: document.sign_in_name }),
    ...(document.password_hash !== undefined && { passwordHash: document.password_hash }),
    ...(document.public_name !== undefined && { publicName: document.public_name }),
    ...(document.website !== undefined && { website: document.website }),
    ...(document.active_since && { activeSince: document.active_since }),
    ...(document.suspended_at && { suspendedAt: document.suspended_at }),
  };
}
