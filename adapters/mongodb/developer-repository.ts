import type { ClientSession, Db, Document, Filter, UpdateFilter } from 'mongodb';
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
import { count, findAll, findOne, READ, WRITE } from './commands.js';
import { activated, developerOf, named, newDeveloper, type DeveloperDocument } from './developer-documents.js';
import { duplicateIn, isDuplicate } from './failures.js';
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
    const last = before === undefined ? undefined : await findOne(this.#developers, { _id: before });
    if (last === null) return [];
    const filter = { ...(last && { position: { $lt: last.position } }), ...(text !== undefined && named(text)) };
    return (await findAll(this.#developers, filter, { sort: { position: -1 }, limit })).map(developerOf);
  }

  count(text?: string): Promise<number> {
    return count(this.#developers, text === undefined ? {} : named(text));
  }

  countOperators(): Promise<number> {
    return count(this.#developers, ACTIVE_OPERATORS);
  }

  async register(id: DeveloperId, at: Date): Promise<boolean> {
    return this.#upsert(id, { $setOnInsert: { ...newDeveloper(id, at), role: DEFAULT_ROLE } });
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): Promise<void> {
    await this.#upsert(id, {
      $set: { invitation: { hash, until }, ...(role && { role }) },
      $setOnInsert: { ...newDeveloper(id, at), ...(!role && { role: DEFAULT_ROLE }) },
    });
  }

  async activate(invitationHash: string, activation: Activation): Promise<boolean> {
    const good: Filter<DeveloperDocument> = {
      'invitation.hash': invitationHash,
      'invitation.until': { $gt: activation.at },
      suspended_at: { $exists: false },
    };
    return (await this.#change(good, activated(activation), signInNameTaken())) !== undefined;
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
    return (await this.#change({ _id: id }, change, publicNameTaken())) !== undefined;
  }

  async changeSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): Promise<boolean> {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName), password_hash: passwordHash };
    return (await this.#change({ _id: id, password_hash: current }, { $set }, signInNameTaken())) !== undefined;
  }

  rename(id: DeveloperId, signInName: string): Promise<Developer | undefined> {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName) };
    return this.#change({ _id: id, sign_in_key: { $exists: true } }, { $set }, signInNameTaken());
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.#change({ _id: id }, [{ $unset: 'suspended_at' }]);
  }

  /** Returns whether a new name of a developer looks like the id of another one. */
  async #isIdOfAnother(skeleton: string, id: DeveloperId, publicName?: string): Promise<boolean> {
    const other = await this.#findOne({ id_skeleton: skeleton, _id: { $ne: id } });
    const developer = other && (await this.find(id));
    return developer !== undefined && developer.publicName !== publicName;
  }

  async #findOne(filter: Filter<DeveloperDocument>): Promise<Developer | undefined> {
    const document = await findOne(this.#developers, filter);
    return document === null ? undefined : developerOf(document);
  }

  /** Changes a developer, or adds one, and returns whether they are new. Repeats one of two upserts at once. */
  async #upsert(_id: DeveloperId, change: UpdateFilter<DeveloperDocument>): Promise<boolean> {
    const options = { ...WRITE, upsert: true };
    const upsert = (session: ClientSession) => this.#developers.updateOne({ _id }, change, { ...options, session });
    return (await transaction(this.db, upsert, isIdTaken)).upsertedCount > 0;
  }

  /** Changes the developer that matches, and returns them as they were before. Throws that a new name is taken. */
  #change(
    filter: Filter<DeveloperDocument>,
    change: Document | Document[],
    taken?: DomainError,
  ): Promise<Developer | undefined> {
    return transaction(this.db, (session) => this.#changeIn(session, filter, change)).catch((error: unknown) => {
      throw (isDuplicate(error) && taken) || error;
    });
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
    const changeUnlessLast = async (session: ClientSession) => {
      const touched = { $set: { value: randomUUID() } };
      await this.#settings.updateOne(LAST_OPERATOR, touched, { ...WRITE, upsert: true, session });
      const document = await this.#developers.findOne({ _id: id }, { ...READ, session });
      const isOne = document !== null && isActiveOperator(developerOf(document));
      const operators = isOne ? await this.#developers.countDocuments(ACTIVE_OPERATORS, { ...READ, session }) : 0;
      return isOne && operators === 1 ? 'last-operator' : this.#changeIn(session, { _id: id }, change);
    };
    return transaction(this.db, changeUnlessLast, isIdTaken);
  }
}

/** Returns whether two upserts at once have made the same document. The next try finds it. */
function isIdTaken(error: unknown): boolean {
  return duplicateIn(error)?.endsWith('._id_') === true;
}
