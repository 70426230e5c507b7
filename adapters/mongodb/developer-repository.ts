import type { ClientSession, Db, Document, Filter, UpdateFilter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { DeveloperId } from '../../domain/access.js';
import { isActiveOperator, signInKey, signInNameTaken, type Developer } from '../../domain/developer.js';
import type { DomainError } from '../../domain/errors.js';
import type { DeveloperIdentity, Identity } from '../../domain/identity.js';
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
import { developerIdKey, publicNameKeys, publicNameTaken } from '../../domain/public-name.js';
import { DEFAULT_ROLE } from '../../domain/role.js';
import { duplicateSession, MAX_SESSIONS } from '../../domain/session.js';
import { insertEntries } from './audit-log.js';
import { collectionsOf, type Collections } from './collections.js';
import { count, findAll, findOne, READ, WRITE } from './commands.js';
import {
  activated,
  developerOf,
  named,
  newDeveloper,
  signedIn,
  type DeveloperDocument,
} from './developer-documents.js';
import { duplicateIn } from './failures.js';
import { QueueById } from './locks.js';
import { endSessions, startSession } from './session-repository.js';
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
  readonly #collections: Collections;
  readonly #developers: Collections['developers'];
  readonly #signIns = new QueueById();

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#developers = this.#collections.developers;
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
    const filter = { ...(last && { position: { $lt: last.position } }), ...(await this.#foundBy(text)) };
    return (await findAll(this.#developers, filter, { sort: { position: -1 }, limit })).map(developerOf);
  }

  async count(text?: string): Promise<number> {
    return count(this.#developers, await this.#foundBy(text));
  }

  countOperators(): Promise<number> {
    return count(this.#developers, ACTIVE_OPERATORS);
  }

  register(id: DeveloperId, { at, entries }: DeveloperAddition): Promise<boolean> {
    const register = async (session: ClientSession) => {
      const isAdded = await this.#add(id, at, session);
      if (isAdded) await insertEntries(this.#collections, entries, session);
      return isAdded;
    };
    return transaction(this.db, register, isIdTaken);
  }

  async findByIdentity(identity: Identity): Promise<Developer | undefined> {
    const known = await findOne(this.#collections.identities, { _id: identityId(identity) });
    return known === null ? undefined : this.find(known.developer_id);
  }

  async listIdentities(ids: readonly DeveloperId[]): Promise<readonly DeveloperIdentity[]> {
    const known = await findAll(this.#collections.identities, { developer_id: { $in: [...ids] } });
    return known.map(({ _id, developer_id }) => ({ ..._id, developerId: developer_id }));
  }

  identify(identity: Identity, { id, at, entries }: IdentifiedDeveloper): Promise<Developer> {
    const _id = identityId(identity);
    const { identities } = this.#collections;
    const identify = async (session: ClientSession) => {
      const known = await identities.findOne({ _id }, { ...READ, session });
      if (known === null) {
        await identities.insertOne({ _id, developer_id: id }, { ...WRITE, session });
        await this.#add(id, at, session);
        await insertEntries(this.#collections, entries, session);
      }
      const holder = { _id: known?.developer_id ?? id };
      return developerOf((await this.#developers.findOne(holder, { ...READ, session })) as DeveloperDocument);
    };
    return transaction(this.db, identify, isIdTaken);
  }

  invite(id: DeveloperId, { invitation, at, role, isForEmergencies, keepOneOperator, entries }: NewInvitation) {
    const { hash, until } = invitation;
    const marked = isForEmergencies === true && { emergency_since: at };
    const invited = {
      $set: { invitation: { hash, until }, ...(role && { role }), ...marked },
      $setOnInsert: { ...newDeveloper(id, at), ...(!role && { role: DEFAULT_ROLE }) },
    };
    return this.#demote(id, keepOneOperator && role !== undefined && role !== 'operator', async (session) => {
      const before = await this.#update(session, { _id: id }, invited, { upsert: true });
      await insertEntries(this.#collections, entries, session);
      return before;
    });
  }

  activate(invitationHash: string, { session: started, entries, ...activation }: Activation): Promise<boolean> {
    const good: Filter<DeveloperDocument> = {
      'invitation.hash': invitationHash,
      'invitation.until': { $gt: activation.at },
      suspended_at: { $exists: false },
    };
    return this.#naming(signInNameTaken(), async (session) => {
      const developer = await this.#update(session, good, activated(activation));
      if (developer === undefined) return false;
      await startSession(this.#collections, { ...started, developerId: developer.id }, 0, session);
      await insertEntries(this.#collections, entries, session);
      return true;
    });
  }

  /** Those of one developer come one after the other, since each writes the developer. */
  signIn(id: DeveloperId, { passwordHash, session: started, entries }: SignIn): Promise<boolean> {
    const active: Filter<DeveloperDocument> = {
      _id: id,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      suspended_at: { $exists: false },
    };
    const signingIn = () =>
      this.#naming(undefined, async (session) => {
        const developer = await this.#update(session, active, signedIn(started.createdAt));
        if (developer === undefined) return false;
        await startSession(this.#collections, { ...started, developerId: id }, MAX_SESSIONS - 1, session);
        await insertEntries(this.#collections, entries, session);
        return true;
      });
    return this.#signIns.run(id, signingIn);
  }

  suspend(id: DeveloperId, { at, keepOneOperator, entries }: DeveloperSuspension) {
    const suspended = [{ $set: { suspended_at: { $ifNull: ['$suspended_at', at] } } }];
    return this.#demote(id, keepOneOperator, async (session) => {
      const before = await this.#update(session, { _id: id }, suspended);
      await endSessions(this.#collections, id, session);
      if (before !== undefined && before.suspendedAt === undefined)
        await insertEntries(this.#collections, entries, session);
      return before;
    });
  }

  setRole(id: DeveloperId, { role, keepOneOperator, entries }: RoleChange) {
    return this.#demote(id, keepOneOperator && role !== 'operator', async (session) => {
      const before = await this.#update(session, { _id: id }, { $set: { role } });
      if (before !== undefined && before.role !== role) await insertEntries(this.#collections, entries, session);
      return before;
    });
  }

  async setProfile(id: DeveloperId, { profile, entries }: Audited & { readonly profile: Profile }): Promise<boolean> {
    const { publicName, website } = profile;
    const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
    if (keys !== undefined && (await this.#isIdOfAnother(keys.skeleton, id, publicName))) throw publicNameTaken();
    const names = { public_name: publicName, public_name_folded: keys?.folded, public_name_skeleton: keys?.skeleton };
    const fields = Object.entries({ ...names, website });
    const change = fields.map(([field, value]) =>
      value === undefined ? { $unset: field } : { $set: { [field]: { $literal: value } } },
    );
    return this.#naming(publicNameTaken(), async (session) => {
      const isThere = (await this.#update(session, { _id: id }, change)) !== undefined;
      if (isThere) await insertEntries(this.#collections, entries, session);
      return isThere;
    });
  }

  changeSignIn(id: DeveloperId, change: SignInReplacement): Promise<boolean> {
    const { current, signInName, passwordHash, keptSession, entries } = change;
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName), password_hash: passwordHash };
    return this.#naming(signInNameTaken(), async (session) => {
      if ((await this.#update(session, { _id: id, password_hash: current }, { $set })) === undefined) return false;
      if (passwordHash !== current) await endSessions(this.#collections, id, session, keptSession);
      await insertEntries(this.#collections, entries, session);
      return true;
    });
  }

  rename(id: DeveloperId, { signInName, entries }: Audited & { readonly signInName: string }) {
    const $set = { sign_in_name: signInName, sign_in_key: signInKey(signInName) };
    return this.#naming(signInNameTaken(), async (session) => {
      const before = await this.#update(session, { _id: id, sign_in_key: { $exists: true } }, { $set });
      if (before !== undefined && before.signInName !== signInName)
        await insertEntries(this.#collections, entries, session);
      return before;
    });
  }

  restore({ id, entries }: Audited & { readonly id: DeveloperId }): Promise<Developer | undefined> {
    return transaction(this.db, async (session) => {
      const before = await this.#update(session, { _id: id }, [{ $unset: 'suspended_at' }]);
      if (before?.suspendedAt !== undefined) await insertEntries(this.#collections, entries, session);
      return before;
    });
  }

  /** Returns whether a new name of a developer looks like the id of another one. */
  async #isIdOfAnother(skeleton: string, id: DeveloperId, publicName?: string): Promise<boolean> {
    const other = await this.#findOne({ id_skeleton: skeleton, _id: { $ne: id } });
    const developer = other && (await this.find(id));
    return developer !== undefined && developer.publicName !== publicName;
  }

  /** Adds a developer, unless there is one with this id, and returns whether it did. */
  async #add(id: DeveloperId, at: Date, session: ClientSession): Promise<boolean> {
    const added = { $setOnInsert: { ...newDeveloper(id, at), role: DEFAULT_ROLE } };
    const options = { ...WRITE, upsert: true, session };
    return (await this.#developers.updateOne({ _id: id }, added, options)).upsertedCount > 0;
  }

  /** Returns the filter for developers who are found by a text. */
  async #foundBy(text: string | undefined): Promise<Filter<DeveloperDocument>> {
    if (text === undefined) return {};
    const known = await findAll(this.#collections.identities, { '_id.subject': text });
    return named(
      text,
      known.map(({ developer_id }) => developer_id),
    );
  }

  async #findOne(filter: Filter<DeveloperDocument>): Promise<Developer | undefined> {
    const document = await findOne(this.#developers, filter);
    return document === null ? undefined : developerOf(document);
  }

  /** Does a change that may give a name that another developer has. */
  #naming<Result>(
    taken: DomainError | undefined,
    change: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    return transaction(this.db, change).catch((error: unknown) => {
      const index = duplicateIn(error) ?? '';
      if (index.startsWith('sessions.')) throw duplicateSession();
      throw (index.startsWith('developers.') && taken) || error;
    });
  }

  /** Changes the developer that matches, and returns them as they were before. */
  async #update(
    session: ClientSession,
    filter: Filter<DeveloperDocument>,
    change: UpdateFilter<DeveloperDocument> | Document[],
    { upsert = false } = {},
  ): Promise<Developer | undefined> {
    const options = { ...WRITE, returnDocument: 'before', upsert, session } as const;
    const before = await this.#developers.findOneAndUpdate(filter, change, options);
    return before === null ? undefined : developerOf(before);
  }

  /** Does a change after which the developer may be no active operator any more. Repeats one of two upserts at once. */
  #demote(
    id: DeveloperId,
    keepOneOperator: boolean,
    change: (session: ClientSession) => Promise<Developer | undefined>,
  ): Promise<Developer | 'last-operator' | undefined> {
    const demote = async (session: ClientSession) =>
      keepOneOperator && (await this.#isLastOperator(id, session)) ? 'last-operator' : change(session);
    return transaction(this.db, demote, isIdTaken);
  }

  /** Another transaction that asks this meets a conflict, and is done again. */
  async #isLastOperator(id: DeveloperId, session: ClientSession): Promise<boolean> {
    const touched = { $set: { value: randomUUID() } };
    await this.#collections.settings.updateOne(LAST_OPERATOR, touched, { ...WRITE, upsert: true, session });
    const document = await this.#developers.findOne({ _id: id }, { ...READ, session });
    if (document === null || !isActiveOperator(developerOf(document))) return false;
    return (await this.#developers.countDocuments(ACTIVE_OPERATORS, { ...READ, session })) === 1;
  }
}

/** Returns whether two upserts at once have made the same document. The next try finds it. */
function isIdTaken(error: unknown): boolean {
  return /^(developers|identities|settings)\._id_$/.test(duplicateIn(error) ?? '');
}

/** Returns the fields of an identity in one order: as an id, they are one value. */
function identityId({ issuer, subject }: Identity): Identity {
  return { issuer, subject };
}
