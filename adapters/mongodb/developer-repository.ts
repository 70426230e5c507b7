import type { ClientSession, Db, Document, Filter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { DeveloperId } from '../../domain/access.js';
import {
  isActiveOperator,
  signInKey,
  signInNameTaken,
  type Developer,
  type Invitation,
} from '../../domain/developer.js';
import type { DomainError } from '../../domain/errors.js';
import type { Activation, DeveloperQuery, DeveloperRepository, OperatorRule, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import { developerIdKey, publicNameKeys, publicNameTaken } from '../../domain/public-name.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { collectionsOf, type Collections } from './collections.js';
import { READ, READ_ALL, reading, WRITE } from './commands.js';
import { activated, developerOf, named, newDeveloper, type DeveloperDocument } from './developer-documents.js';
import { isDuplicate } from './failures.js';
import { transaction } from './transactions.js';

/** Those that `countOperators` counts. */
const ACTIVE_OPERATORS = {
  role: 'operator',
  active_since: { $exists: true },
  suspended_at: { $exists: false },
} as const;

/** The setting that each change writes that must keep an operator: so that two of them conflict. */
const LAST_OPERATOR = { _id: 'last-operator' };

/** Developers in MongoDB. */
export class MongoDeveloperRepository implements DeveloperRepository {
  readonly #developers: Collections['developers'];
  readonly #settings: Collections['settings'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    const { developers, settings } = collectionsOf(db);
    this.#developers = developers;
    this.#settings = settings;
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
    return this.#count(ACTIVE_OPERATORS);
  }

  async register(id: DeveloperId, at: Date): Promise<boolean> {
    const added = { $setOnInsert: { ...newDeveloper(id, at), role: DEFAULT_ROLE } };
    const { upsertedCount } = await this.#write((session) =>
      this.#developers.updateOne({ _id: id }, added, { ...WRITE, upsert: true, session }),
    );
    return upsertedCount > 0;
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): Promise<void> {
    const invited = {
      $set: { invitation: { hash, until }, ...(role && { role }) },
      $setOnInsert: { ...newDeveloper(id, at), ...(!role && { role: DEFAULT_ROLE }) },
    };
    const options = { ...WRITE, upsert: true };
    await this.#write((session) => this.#developers.updateOne({ _id: id }, invited, { ...options, session }));
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    const good: Filter<DeveloperDocument> = {
      'invitation.hash': invitationHash,
      'invitation.until': { $gt: activation.at },
      suspended_at: { $exists: false },
    };
    return this.#update(good, activated(activation)).catch(refuse(signInNameTaken()));
  }

  suspend(id: DeveloperId, at: Date, rule: OperatorRule): Promise<Developer | 'last-operator' | undefined> {
    const change = [{ $set: { suspended_at: { $ifNull: ['$suspended_at', at] } } }];
    return this.#changeOperator(id, change, rule.keepOneOperator);
  }

  setRole(id: DeveloperId, role: Role, rule: OperatorRule): Promise<Developer | 'last-operator' | undefined> {
    return this.#changeOperator(id, { $set: { role } }, rule.keepOneOperator && role !== 'operator');
  }

  async setProfile(id: DeveloperId, { publicName, website }: Profile): Promise<boolean> {
    const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
    if (keys !== undefined && (await this.#isIdOfAnother(keys.skeleton, id, publicName))) throw publicNameTaken();
    const names = { public_name: publicName, public_name_folded: keys?.folded, public_name_skeleton: keys?.skeleton };
    const fields = Object.entries({ ...names, website });
    const change = fields.map(([field, value]) =>
      value === undefined ? { $unset: field } : { $set: { [field]: { $literal: value } } },
    );
    const changed = this.#change({ _id: id }, change).catch(refuse(publicNameTaken()));
    return changed.then((developer) => developer !== undefined);
  }

  changeSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): Promise<boolean> {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName), password_hash: passwordHash };
    return this.#update({ _id: id, password_hash: current }, { $set }).catch(refuse(signInNameTaken()));
  }

  rename(id: DeveloperId, signInName: string): Promise<Developer | undefined> {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName) };
    const named: Filter<DeveloperDocument> = { _id: id, sign_in_key: { $exists: true } };
    return this.#change(named, { $set }).catch(refuse(signInNameTaken()));
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.#change({ _id: id }, [{ $unset: 'suspended_at' }]);
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

  /** Does one write alone. A duplicate of two upserts at once is repeated: the developer is there then. */
  #write<Answer>(work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    return transaction(this.db, work, isDuplicate);
  }

  /** Changes the developer that matches, and returns whether there was one. */
  #update(filter: Filter<DeveloperDocument>, change: Document | Document[]): Promise<boolean> {
    return transaction(this.db, async (session) => {
      const { matchedCount } = await this.#developers.updateOne(filter, change, { ...WRITE, session });
      return matchedCount > 0;
    });
  }

  /** Returns the developer as they were before. */
  #change(filter: Filter<DeveloperDocument>, change: Document | Document[]): Promise<Developer | undefined> {
    return transaction(this.db, (session) => this.#changeIn(session, filter, change));
  }

  async #changeIn(
    session: ClientSession,
    filter: Filter<DeveloperDocument>,
    change: Document | Document[],
  ): Promise<Developer | undefined> {
    const options = { ...WRITE, returnDocument: 'before', session } as const;
    const before = await this.#developers.findOneAndUpdate(filter, change, options);
    return before === null ? undefined : developerOf(before);
  }

  /** Does a change that may take an operator away. */
  #changeOperator(
    id: DeveloperId,
    change: Document | Document[],
    keepOne: boolean,
  ): Promise<Developer | 'last-operator' | undefined> {
    if (!keepOne) return this.#change({ _id: id }, change);
    return this.#write(async (session) => {
      const touched = { $set: { value: randomUUID() } };
      await this.#settings.updateOne(LAST_OPERATOR, touched, { ...WRITE, upsert: true, session });
      const document = await this.#developers.findOne({ _id: id }, { ...READ, session });
      const isOne = document !== null && isActiveOperator(developerOf(document));
      const count = isOne ? await this.#developers.countDocuments(ACTIVE_OPERATORS, { ...READ, session }) : 0;
      return isOne && count === 1 ? 'last-operator' : this.#changeIn(session, { _id: id }, change);
    });
  }
}

/** Returns a function that throws this error in place of one that says that a unique index has such a document. */
function refuse(taken: DomainError): (error: unknown) => never {
  return (error) => {
    throw isDuplicate(error) ? taken : error;
  };
}
