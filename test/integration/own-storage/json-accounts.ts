import { DomainError, type ApiKey, type Developer, type Session, type Storage } from '../../../application/index.js';
import * as rules from '../../../adapters/storage/index.js';
import { part, remove, replace, type Data, type JsonFile } from './json-file.js';

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
        audit.push(...entries);
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
        audit.push(...entries);
        return true;
      }),
    revoke: (id, { at, entries }) =>
      file.change(({ keys, audit }) => {
        const before = replace(keys, named(id), (key) => ({ revokedAt: at, ...key }));
        if (before !== undefined && before.revokedAt === undefined) audit.push(...entries);
        return before !== undefined;
      }),
    rename: (id, { name, entries }) =>
      file.change(({ keys, audit }) => {
        const isThere = replace(keys, named(id), (key) => ({ ...key, name })) !== undefined;
        if (isThere) audit.push(...entries);
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
  const keysOf = ({ publicName }: Pick<Developer, 'publicName'>) =>
    publicName === undefined ? { folded: '', skeleton: '' } : rules.publicNameKeys(publicName);
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const contains =
    (text = '') =>
    (developer: Developer) =>
      lower(developer.id).includes(lower(text)) ||
      rules.signInKey(developer.signInName ?? '').includes(rules.signInKey(text)) ||
      (rules.publicNamePart(text) !== '' && keysOf(developer).folded.includes(rules.publicNamePart(text)));
  const find = (matches: (developer: Developer) => boolean) => file.read(({ developers }) => developers.find(matches));
  const change = (id: string, edit: (developer: Developer) => Developer, keepOneOperator = false) =>
    file.change(({ developers }) => {
      const developer = developers.find(named(id));
      if (developer === undefined) return undefined;
      const goes = rules.isActiveOperator(developer) && !rules.isActiveOperator(edit(developer));
      if (keepOneOperator && goes && developers.filter(rules.isActiveOperator).length === 1) return 'last-operator';
      return replace(developers, named(id), edit);
    });
  const refuseTaken = (developers: Developer[], id: string, signInName: string) => {
    if (developers.some((other) => other.id !== id && signsInAs(signInName)(other))) throw rules.signInNameTaken();
  };
  return {
    find: (id) => find(named(id)),
    findBySignInName: (name) => find(signsInAs(name)),
    findByInvitation: (hash) => find(invitedBy(hash)),
    findShownAs: (id) => find((developer) => keysOf(developer).skeleton === rules.developerIdKey(id)),
    list: ({ text, ...query }) => file.read(({ developers }) => part(developers, query, contains(text))),
    count: (text) => file.read(({ developers }) => developers.filter(contains(text)).length),
    countOperators: () => file.read(({ developers }) => developers.filter(rules.isActiveOperator).length),
    register: (id, at) =>
      file.change(({ developers }) => {
        const isNew = !developers.some(named(id));
        if (isNew) developers.push({ id, role: 'developer', addedAt: at });
        return isNew;
      }),
    invite: (id, invitation, at, role) =>
      file.change(({ developers }) => {
        if (!developers.some(named(id))) developers.push({ id, role: 'developer', addedAt: at });
        replace(developers, named(id), (developer) => ({ ...developer, invitation, ...(role && { role }) }));
      }),
    activate: (hash, { at, ...signIn }) =>
      file.change(({ developers }) => {
        const developer = developers.find(invitedBy(hash));
        if (developer === undefined || !rules.canAccept(developer, at)) return false;
        refuseTaken(developers, developer.id, signIn.signInName);
        const { invitation: _used, ...others } = developer;
        replace(developers, named(developer.id), () => ({ activeSince: at, ...others, ...signIn }));
        return true;
      }),
    suspend: (id, at, rule) => change(id, (one) => ({ suspendedAt: at, ...one }), rule.keepOneOperator),
    setRole: (id, role, rule) => change(id, (one) => ({ ...one, role }), rule.keepOneOperator),
    restore: (id) => change(id, ({ suspendedAt: _lifted, ...others }) => others) as Promise<Developer | undefined>,
    setProfile: (id, profile) =>
      file.change(({ developers }) => {
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
        return true;
      }),
    changeSignIn: (id, current, signIn) =>
      file.change(({ developers }) => {
        if (developers.find(named(id))?.passwordHash !== current) return false;
        refuseTaken(developers, id, signIn.signInName);
        return replace(developers, named(id), (developer) => ({ ...developer, ...signIn })) !== undefined;
      }),
    rename: (id, signInName) =>
      file.change(({ developers }) => {
        if (developers.find(named(id))?.signInName === undefined) return undefined;
        refuseTaken(developers, id, signInName);
        return replace(developers, named(id), (developer) => ({ ...developer, signInName }));
      }),
  };
}

/** The sessions of the panel. */
export function sessionsIn(file: JsonFile): Storage['sessions'] {
  const own = (owner: string, sessions: Session[]) =>
    sessions.filter(({ developerId }) => developerId === owner).sort((one, other) => +other.createdAt - +one.createdAt);
  return {
    add: (session) =>
      file.change(({ sessions }) => {
        if (sessions.some(({ hash }) => hash === session.hash))
          throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
        const oldest = own(session.developerId, sessions).slice(rules.MAX_SESSIONS - 1);
        remove(sessions, (one) => oldest.includes(one));
        sessions.push(session);
      }),
    findByHash: (hash) => file.read(({ sessions }) => sessions.find((session) => session.hash === hash)),
    list: (owner) => file.read(({ sessions }) => own(owner, sessions)),
    renew: (hash, until) =>
      file.change(({ sessions }) => {
        const isDue = (session: Session) => session.hash === hash && session.until < until;
        replace(sessions, isDue, (session) => ({ ...session, until }));
      }),
    end: (hash) => file.change(({ sessions }) => remove(sessions, (session) => session.hash === hash) > 0),
    endAll: (owner, except) =>
      file.change(({ sessions }) =>
        remove(sessions, ({ developerId, hash }) => developerId === owner && hash !== except),
      ),
    endExpired: (asOf) => file.change(({ sessions }) => remove(sessions, ({ until }) => until <= asOf)),
  };
}
