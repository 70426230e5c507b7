import {
  DomainError,
  type ApiKey,
  type AuditEntry,
  type Developer,
  type DeveloperIdentity,
  type Identity,
  type Session,
  type Storage,
} from '../../../application/index.js';
import * as rules from '../../../adapters/storage/index.js';
import { part, remove, replace, type Data, type JsonFile } from './json-file.js';

/** Adds entries to the audit, but for those whose ids are there. */
function record(audit: AuditEntry[], entries: readonly AuditEntry[]): void {
  audit.push(...entries.filter((entry) => !audit.some(({ id }) => id === entry.id)));
}

/** The API keys. */
export function keysIn(file: JsonFile): Storage['keys'] {
  const named = (id: string) => (key: ApiKey) => key.id === id;
  const isActive = (key: ApiKey, at: Date) => rules.endOf(key) > at.getTime();
  const active =
    (owner: string, at: Date) =>
    ({ keys }: Data) =>
      keys.filter((key) => key.developerId === owner && isActive(key, at));
  const ended =
    (owner: string, at: Date) =>
    ({ keys }: Data) =>
      keys
        .filter((key) => key.developerId === owner && !isActive(key, at))
        .sort((one, other) => rules.endOf(one) - rules.endOf(other));
  const add = (keys: ApiKey[], key: ApiKey, max = Infinity) => {
    const isActiveThen = (other: ApiKey) => other.developerId === key.developerId && isActive(other, key.createdAt);
    if (keys.filter(isActiveThen).length >= max) throw rules.tooManyKeys(max);
    if (keys.some(({ id, hash }) => id === key.id || hash === key.hash))
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
    keys.push(key);
  };
  return {
    add: ({ key, max, entries }) =>
      file.change(({ keys, audit }) => {
        add(keys, key, max);
        record(audit, entries);
      }),
    find: (id) => file.read(({ keys }) => keys.find(named(id))),
    findByHash: (hash) => file.read(({ keys }) => keys.find((key) => key.hash === hash)),
    list: ({ developerId: owner, ...query }) =>
      file.read(({ keys }) =>
        part(
          keys.filter(({ developerId }) => owner === undefined || developerId === owner),
          query,
        ),
      ),
    listActive: (owner, at) => file.read(active(owner, at)),
    countActive: (owner, at) => file.read((data) => active(owner, at)(data).length),
    listEnded: ({ developerId, asOf, ...query }) => file.read((data) => part(ended(developerId, asOf)(data), query)),
    countEnded: (owner, at) => file.read((data) => ended(owner, at)(data).length),
    replace: (id, { successor, until, max, entries }) =>
      file.change(({ keys, audit }) => {
        const key = keys.find(named(id));
        if (key === undefined || key.revokedAt !== undefined) return false;
        const expiresAt = key.expiresAt !== undefined && key.expiresAt < until ? key.expiresAt : until;
        replace(keys, named(id), () => ({ ...key, expiresAt }));
        add(keys, successor, max);
        record(audit, entries);
        return true;
      }),
    revoke: (id, { at, entries }) =>
      file.change(({ keys, audit }) => {
        const before = replace(keys, named(id), (key) => ({ revokedAt: at, ...key }));
        if (before !== undefined && before.revokedAt === undefined) record(audit, entries);
        return before !== undefined;
      }),
    rename: (id, { name, entries }) =>
      file.change(({ keys, audit }) => {
        const isThere = replace(keys, named(id), (key) => ({ ...key, name })) !== undefined;
        if (isThere) record(audit, entries);
        return isThere;
      }),
    noteUse: (id, at) =>
      file.change(({ keys }) => {
        const isEarlier = ({ lastUsedAt }: ApiKey) => lastUsedAt !== undefined && lastUsedAt >= at;
        replace(keys, named(id), (key) => (isEarlier(key) ? key : { ...key, lastUsedAt: at }));
      }),
    removeEnded: (asOf) => file.change(({ keys }) => remove(keys, (key) => !isActive(key, asOf))),
  };
}

/** The developers. Whether a name is free, and an operator the last one, is decided within the change. */
export function developersIn(file: JsonFile): Storage['developers'] {
  const named = (id: string) => (developer: Developer) => developer.id === id;
  const invitedBy =
    (hash: string) =>
    ({ invitation }: Developer) =>
      invitation?.hash === hash;
  const signsInAs =
    (name: string) =>
    ({ signInName }: Developer) =>
      signInName !== undefined && rules.signInKey(signInName) === rules.signInKey(name);
  const isOf = (asked: Identity) => (known: Identity) =>
    known.issuer === asked.issuer && known.subject === asked.subject;
  const keysOf = ({ publicName }: Pick<Developer, 'publicName'>) =>
    publicName === undefined ? { folded: '', skeleton: '' } : rules.publicNameKeys(publicName);
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const contains =
    (identities: readonly DeveloperIdentity[], text = '') =>
    (developer: Developer) =>
      identities.some(({ developerId, subject }) => developerId === developer.id && subject === text) ||
      lower(developer.id).includes(lower(text)) ||
      rules.signInKey(developer.signInName ?? '').includes(rules.signInKey(text)) ||
      (rules.publicNamePart(text) !== '' && keysOf(developer).folded.includes(rules.publicNamePart(text)));
  const find = (matches: (developer: Developer) => boolean) => file.read(({ developers }) => developers.find(matches));
  const isLast = (developers: Developer[], id: string, isNone: boolean) =>
    isNone &&
    developers.filter(rules.isActiveOperator).every((one) => one.id === id) &&
    developers.some(isOperator(id));
  const isOperator = (id: string) => (developer: Developer) => developer.id === id && rules.isActiveOperator(developer);
  /** Changes a developer, if `isNew` says so, and returns them as they were before. */
  const edited = ({ developers, audit }: Data, id: string, { isNew, edit, entries }: Edit): Developer | undefined => {
    const developer = developers.find(named(id));
    if (developer === undefined || !isNew(developer)) return developer;
    record(audit, entries);
    return replace(developers, named(id), edit);
  };
  const refuseTaken = (developers: Developer[], id: string, signInName: string) => {
    if (developers.some((other) => other.id !== id && signsInAs(signInName)(other))) throw rules.signInNameTaken();
  };
  return {
    find: (id) => find(named(id)),
    findBySignInName: (name) => find(signsInAs(name)),
    findByInvitation: (hash) => find(invitedBy(hash)),
    findShownAs: (id) => find((developer) => keysOf(developer).skeleton === rules.developerIdKey(id)),
    list: ({ text, ...query }) =>
      file.read(({ developers, identities }) => part(developers, query, contains(identities, text))),
    count: (text) => file.read(({ developers, identities }) => developers.filter(contains(identities, text)).length),
    countOperators: () => file.read(({ developers }) => developers.filter(rules.isActiveOperator).length),
    register: (id, { at, entries }) =>
      file.change(({ developers, audit }) => {
        if (developers.some(named(id))) return false;
        developers.push({ id, role: 'developer', addedAt: at });
        record(audit, entries);
        return true;
      }),
    findByIdentity: (identity) =>
      file.read(({ developers, identities }) => {
        const { developerId } = identities.find(isOf(identity)) ?? {};
        return developers.find(({ id }) => id === developerId);
      }),
    listIdentities: (ids) =>
      file.read(({ identities }) => identities.filter(({ developerId }) => ids.includes(developerId))),
    identify: ({ issuer, subject }, { id, at, entries }) =>
      file.change(({ developers, identities, audit }) => {
        const holder = identities.find(isOf({ issuer, subject }))?.developerId ?? id;
        if (!developers.some(named(holder))) developers.push({ id, role: 'developer', addedAt: at });
        if (!identities.some(isOf({ issuer, subject }))) {
          identities.push({ issuer, subject, developerId: id });
          record(audit, entries);
        }
        return developers.find(named(holder)) as Developer;
      }),
    invite: (id, { invitation, at, role, isForEmergencies, keepOneOperator, entries }) =>
      file.change(({ developers, audit }) => {
        if (keepOneOperator && isLast(developers, id, role !== undefined && role !== 'operator'))
          return 'last-operator';
        const isThere = developers.some(named(id));
        if (!isThere) developers.push({ id, role: 'developer', addedAt: at });
        record(audit, entries);
        const given = { invitation, ...(role && { role }), ...(isForEmergencies && { emergencySince: at }) };
        const before = replace(developers, named(id), (one) => ({ ...one, ...given }));
        return isThere ? before : undefined;
      }),
    activate: (hash, { at, session, entries, ...signIn }) =>
      file.change(({ developers, sessions, audit }) => {
        const developer = developers.find(invitedBy(hash));
        if (developer === undefined || !rules.canAccept(developer, at)) return false;
        refuseTaken(developers, developer.id, signIn.signInName);
        const { invitation: _used, ...others } = developer;
        replace(developers, named(developer.id), () => ({ activeSince: at, ...others, ...signIn }));
        startSession(sessions, { ...session, developerId: developer.id }, 0);
        record(audit, entries);
        return true;
      }),
    signIn: (id, { passwordHash, session, entries }) =>
      file.change(({ developers, sessions, audit }) => {
        const developer = developers.find(named(id));
        if (developer === undefined || developer.suspendedAt !== undefined) return false;
        if ((passwordHash ?? developer.passwordHash) !== developer.passwordHash) return false;
        const { createdAt: activeSince } = session;
        replace(developers, named(id), (one) => ({ activeSince, ...one }));
        startSession(sessions, { ...session, developerId: id }, rules.MAX_SESSIONS - 1);
        record(audit, entries);
        return true;
      }),
    suspend: (id, { at, keepOneOperator, entries }) =>
      file.change((data) => {
        if (keepOneOperator && isLast(data.developers, id, true)) return 'last-operator';
        remove(data.sessions, ({ developerId }) => developerId === id);
        const isNew = ({ suspendedAt }: Developer) => suspendedAt === undefined;
        return edited(data, id, { isNew, edit: (one) => ({ ...one, suspendedAt: at }), entries });
      }),
    setRole: (id, { role, keepOneOperator, entries }) =>
      file.change((data) => {
        if (keepOneOperator && isLast(data.developers, id, role !== 'operator')) return 'last-operator';
        return edited(data, id, { isNew: (one) => one.role !== role, edit: (one) => ({ ...one, role }), entries });
      }),
    restore: ({ id, entries }) =>
      file.change((data) => {
        const isNew = ({ suspendedAt }: Developer) => suspendedAt !== undefined;
        return edited(data, id, { isNew, edit: ({ suspendedAt: _lifted, ...others }) => others, entries });
      }),
    setProfile: (id, { profile, entries }) =>
      file.change(({ developers, audit }) => {
        const developer = developers.find(named(id));
        if (developer === undefined) return false;
        const { folded, skeleton } = keysOf(profile);
        const isLike = (other: Developer) =>
          keysOf(other).folded === folded ||
          [keysOf(other).skeleton, rules.developerIdKey(other.id)].includes(skeleton);
        const others = skeleton === '' ? [] : developers.filter((other) => other.id !== id);
        if (profile.publicName !== developer.publicName && others.some(isLike)) throw rules.publicNameTaken();
        const { publicName: _name, website: _website, ...rest } = developer;
        replace(developers, named(id), () => ({ ...rest, ...profile }));
        record(audit, entries);
        return true;
      }),
    changeSignIn: (id, { current, keptSession, entries, ...signIn }) =>
      file.change(({ developers, sessions, audit }) => {
        if (developers.find(named(id))?.passwordHash !== current) return false;
        refuseTaken(developers, id, signIn.signInName);
        replace(developers, named(id), (developer) => ({ ...developer, ...signIn }));
        const isOther = ({ developerId, hash }: Session) => developerId === id && hash !== keptSession;
        if (signIn.passwordHash !== current) remove(sessions, isOther);
        record(audit, entries);
        return true;
      }),
    rename: (id, { signInName, entries }) =>
      file.change((data) => {
        if (data.developers.find(named(id))?.signInName === undefined) return undefined;
        refuseTaken(data.developers, id, signInName);
        const isNew = (one: Developer) => one.signInName !== signInName;
        return edited(data, id, { isNew, edit: (one) => ({ ...one, signInName }), entries });
      }),
  };
}

/** A change of a developer, and whether it would change anything. */
interface Edit extends Pick<Parameters<Storage['developers']['restore']>[0], 'entries'> {
  readonly isNew: (developer: Developer) => boolean;
  readonly edit: (developer: Developer) => Developer;
}

/** Returns the sessions of a developer, the latest first. */
function own(owner: string, sessions: Session[]): readonly Session[] {
  return sessions
    .filter(({ developerId }) => developerId === owner)
    .sort((one, other) => +other.createdAt - +one.createdAt);
}

/** Stores a session, and ends all others of its developer but the latest `kept`. */
function startSession(sessions: Session[], session: Session, kept: number): void {
  if (sessions.some(({ hash }) => hash === session.hash)) throw rules.duplicateSession();
  const oldest = own(session.developerId, sessions).slice(kept);
  remove(sessions, (one) => oldest.includes(one));
  sessions.push(session);
}

/** The sessions of the panel. */
export function sessionsIn(file: JsonFile): Storage['sessions'] {
  return {
    findByHash: (hash) => file.read(({ sessions }) => sessions.find((session) => session.hash === hash)),
    list: (owner) => file.read(({ sessions }) => own(owner, sessions)),
    renew: (hash, until) =>
      file.change(({ sessions }) => {
        const isDue = (session: Session) => session.hash === hash && session.until < until;
        replace(sessions, isDue, (session) => ({ ...session, until }));
      }),
    end: ({ hash, entries }) =>
      file.change(({ sessions, audit }) => {
        const isThere = remove(sessions, (session) => session.hash === hash) > 0;
        if (isThere) record(audit, entries);
        return isThere;
      }),
    endAll: ({ developerId, entries }) =>
      file.change(({ sessions, audit }) => {
        const ended = remove(sessions, (session) => session.developerId === developerId);
        if (ended > 0) record(audit, entries);
        return ended;
      }),
    endExpired: (asOf) => file.change(({ sessions }) => remove(sessions, ({ until }) => until <= asOf)),
  };
}
