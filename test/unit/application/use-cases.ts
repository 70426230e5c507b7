import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import {
  newCore,
  OPERATOR,
  Passwords,
  type ApiKey,
  type ApiKeyId,
  type Automation,
  type Caller,
  type Core,
  type Operator,
} from '../../../application/index.js';
import { newCategory } from '../../../domain/category.js';
import { ada, bob } from './people.js';

/** A value that a host in JavaScript passes as the one who acts; the types take it for anything. */
export type Who = Caller & Operator;

export interface Market extends Core {
  /** Of ada, as everything here that is not of bob. */
  readonly key: ApiKey;
  readonly keyText: string;
  readonly automation: Automation;
  readonly sessionToken: string;
}

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const PASSWORD = 'violin-crater-7-moss';
const NEW_KEY_ID = '01900000-0000-7000-8000-0000000000aa' as ApiKeyId;

/** Returns a market in which ada and bob have each an account, a key, an automation and a session. */
export async function openMarket(): Promise<Market> {
  const storage = inMemoryStorage();
  await storage.categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const core = newCore(storage, { passwords: new Passwords({ cost: 4 }) });
  await stock(core, bob);
  return { ...core, ...(await stock(core, ada)) };
}

async function stock({ accounts, keys, marketplace, sessions }: Core, owner: Caller) {
  const { token } = await accounts.invite(OPERATOR, owner.developerId);
  const signedIn = await sessions.accept(token, { name: owner.developerId, password: PASSWORD });
  const { key, text } = await keys.issue(OPERATOR, { developer: owner.developerId, scopes: ['automations:read'] });
  const automation = await marketplace.createAutomation(owner, DRAFT);
  return { key, keyText: text, automation, sessionToken: signedIn.token };
}

/** A use case, and what comes of it for each kind of actor. */
export interface Row {
  /** Returns nothing, or the owners of what was returned or changed. */
  readonly call: (market: Market, by: Who) => Promise<unknown>;
  readonly outcomes: {
    /** With a key of ada that reads. */
    readonly reader: string;
    /** With a key of ada that writes. */
    readonly writer: string;
    /** With a key of bob that reads and writes. */
    readonly other: string;
    readonly operator: string;
  };
}

/**
 * A key acts with the whole power of its owner's account here, whatever its scopes are. This is known, and going to
 * change: a key will read the market and create automations, and a person who is signed in does the rest.
 */
const WHOLE_ACCOUNT = 'done';

const owners = (items: readonly { readonly developerId?: string }[]) =>
  Array.from(new Set(items.map(({ developerId }) => developerId)))
    .toSorted()
    .join(' ');

const forOperators = { reader: 'refused', writer: 'refused', other: 'refused' };

/** Every use case that takes who acts. */
export const TABLE: Readonly<Record<string, Row>> = {
  'marketplace.listAutomations': {
    call: ({ marketplace }, by) => marketplace.listAutomations(by),
    outcomes: { reader: 'done', writer: 'forbidden', other: 'done', operator: 'refused' },
  },
  'marketplace.readAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.readAutomation(by, automation.id),
    outcomes: { reader: 'done', writer: 'forbidden', other: 'done', operator: 'refused' },
  },
  'marketplace.listCategories': {
    call: ({ marketplace }, by) => marketplace.listCategories(by),
    outcomes: { reader: 'done', writer: 'forbidden', other: 'done', operator: 'refused' },
  },
  'marketplace.createAutomation': {
    call: async ({ marketplace }, by) => owners([await marketplace.createAutomation(by, DRAFT)]),
    outcomes: { reader: 'forbidden', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'marketplace.createAutomationOnce': {
    call: async ({ marketplace }, by) => owners([(await marketplace.createAutomationOnce(by, DRAFT)).automation]),
    outcomes: { reader: 'forbidden', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'marketplace.reviseAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.reviseAutomation(by, automation.id, { title: 'New' }),
    outcomes: { reader: 'forbidden', writer: 'done', other: 'not-found', operator: 'done' },
  },
  'marketplace.withdrawAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.withdrawAutomation(by, automation.id),
    outcomes: { reader: 'forbidden', writer: 'done', other: 'not-found', operator: 'done' },
  },
  'records.find': {
    call: async ({ records }, by) => owners((await records.find(by)).items.map(({ automation }) => automation)),
    outcomes: { reader: 'ada', writer: 'forbidden', other: 'bob', operator: 'ada bob' },
  },
  'records.listOwn': {
    call: async ({ records }, by) => owners((await records.listOwn(by)).items),
    outcomes: { reader: 'ada', writer: 'forbidden', other: 'bob', operator: 'refused' },
  },
  'records.read': {
    call: async ({ records, automation }, by) => owners([(await records.read(by, automation.id)).automation]),
    outcomes: { reader: 'ada', writer: 'forbidden', other: 'not-found', operator: 'ada' },
  },
  'transfer.everything': {
    call: async ({ transfer }, by) => {
      for await (const part of transfer.everything(by)) return owners(part);
      return '';
    },
    outcomes: { ...forOperators, operator: 'ada bob' },
  },
  'transfer.beginImport': {
    call: async ({ transfer }, by) => transfer.beginImport(by).importBatch([]),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'keys.issue': {
    call: ({ keys }, by) => keys.issue(by, { developer: 'ada', scopes: ['automations:read'] }),
    outcomes: { reader: WHOLE_ACCOUNT, writer: 'forbidden', other: 'not-found', operator: 'done' },
  },
  'keys.issueAs': {
    call: ({ keys }, by) => keys.issueAs(by, NEW_KEY_ID, { developer: 'ada', scopes: ['automations:read'] }),
    outcomes: { reader: WHOLE_ACCOUNT, writer: 'forbidden', other: 'not-found', operator: 'done' },
  },
  'keys.list': {
    call: async ({ keys }, by) => owners((await keys.list(by)).items),
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada bob' },
  },
  'keys.listActive': {
    call: async ({ keys }, by) => owners(await keys.listActive(by, 'ada')),
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada' },
  },
  'keys.listEnded': {
    call: async ({ keys }, by) => {
      for (const { id } of (await keys.list(OPERATOR)).items) await keys.revoke(OPERATOR, id);
      return owners((await keys.listEnded(by, { developer: 'ada' })).items);
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada' },
  },
  'keys.read': {
    call: async ({ keys, key }, by) => owners([await keys.read(by, key.id)]),
    outcomes: { reader: 'ada', writer: 'ada', other: 'not-found', operator: 'ada' },
  },
  'keys.rotate': {
    call: ({ keys, key }, by) => keys.rotate(by, key.id),
    outcomes: { reader: WHOLE_ACCOUNT, writer: 'forbidden', other: 'not-found', operator: 'done' },
  },
  'keys.rename': {
    call: ({ keys, key }, by) => keys.rename(by, key.id, 'New'),
    outcomes: { reader: WHOLE_ACCOUNT, writer: WHOLE_ACCOUNT, other: 'not-found', operator: 'done' },
  },
  'keys.revoke': {
    call: ({ keys, key }, by) => keys.revoke(by, key.id),
    outcomes: { reader: WHOLE_ACCOUNT, writer: WHOLE_ACCOUNT, other: 'not-found', operator: 'done' },
  },
  'accounts.invite': {
    call: ({ accounts }, by) => accounts.invite(by, 'ada'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.list': {
    call: ({ accounts }, by) => accounts.list(by),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.count': {
    call: ({ accounts }, by) => accounts.count(by),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.find': {
    call: ({ accounts }, by) => accounts.find(by, 'ada'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.setRole': {
    call: ({ accounts }, by) => accounts.setRole(by, 'ada', 'operator'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.rename': {
    call: ({ accounts }, by) => accounts.rename(by, 'ada', 'Countess'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.suspend': {
    call: ({ accounts }, by) => accounts.suspend(by, 'ada'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'accounts.restore': {
    call: ({ accounts }, by) => accounts.restore(by, 'ada'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'withdrawals.withdrawAll': {
    call: ({ withdrawals }, by) => withdrawals.withdrawAll(by, 'ada'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'categories.add': {
    call: ({ categories }, by) => categories.add(by, { id: 'games', name: 'Games' }),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'categories.rename': {
    call: ({ categories }, by) => categories.rename(by, 'tools', 'Instruments'),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'categories.import': {
    call: ({ categories }, by) => categories.import(by, [newCategory({ id: 'games', name: 'Games' })]),
    outcomes: { ...forOperators, operator: 'done' },
  },
  'security.listSessions': {
    call: async ({ security, sessionToken }, by) =>
      owners((await security.listSessions(by, sessionToken)).map(() => ({ developerId: by.developerId }))),
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'security.endSession': {
    call: async ({ security, sessionToken }, by) => {
      const [session] = await security.listSessions(ada, sessionToken);
      return security.endSession(by, session?.id ?? '');
    },
    outcomes: { reader: WHOLE_ACCOUNT, writer: WHOLE_ACCOUNT, other: 'not-found', operator: 'refused' },
  },
  'security.signOutEverywhere': {
    call: async ({ security, sessions, sessionToken }, by) => {
      await security.signOutEverywhere(by);
      return (await sessions.find(sessionToken)) === undefined ? 'ada' : 'bob';
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'security.changeSignIn': {
    call: async ({ security, sessions, sessionToken }, by) => {
      await security.changeSignIn(by, { current: PASSWORD, name: 'new name' }, sessionToken);
      return (await sessions.find(sessionToken))?.signInName === 'new name' ? 'ada' : 'bob';
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'profiles.change': {
    call: async ({ profiles }, by) => {
      await profiles.change(by, { publicName: 'Analytical Engines' });
      return (await profiles.show(ada.developerId)).name === 'Analytical Engines' ? 'ada' : 'bob';
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'refused' },
  },
  'audit.list': {
    call: async ({ audit }, by) => owners((await audit.list(by, { limit: 100 })).items),
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada bob' },
  },
  'audit.recordBy': {
    call: async ({ audit }, by) => {
      await audit.recordBy(by, 'import-started', ada.developerId);
      return owners((await audit.list(OPERATOR, { limit: 1 })).items);
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada' },
  },
  'audit.entryOf': {
    call: async ({ audit }, by) =>
      owners([audit.entryOf(by, { action: 'automation-published', developerId: ada.developerId })]),
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada' },
  },
  'audit.entriesOf': {
    call: async ({ audit }, by) => {
      const event = { action: 'automation-withdrawn', developerId: ada.developerId } as const;
      const { entryIds, auditEntry } = audit.entriesOf(by, event, 2);
      return owners(entryIds.map((id) => ({ ...auditEntry, id })));
    },
    outcomes: { reader: 'ada', writer: 'ada', other: 'bob', operator: 'ada' },
  },
};

/** Use cases that take no one who acts, and why. */
export const ASK_NO_ONE: Readonly<Record<string, string>> = {
  'marketplace.reviewListRequest': 'names the rules that a request breaks',
  'marketplace.reviewAutomation': 'names the rules that a draft breaks',
  'catalogue.review': 'names the rules that a request breaks',
  'catalogue.find': 'is on sale',
  'catalogue.categories': 'is on sale',
  'catalogue.ofDeveloper': 'is on sale',
  'catalogue.newest': 'is on sale',
  'catalogue.read': 'is or was on sale; it has no reason of a withdrawal',
  'catalogue.moreOf': 'is on sale',
  'catalogue.size': 'is on sale',
  'catalogue.part': 'is on sale',
  'developers.show': 'is public',
  'developers.find': 'is public',
  'profiles.show': 'is public',
  'categories.list': 'is public',
  'verifier.verify': 'makes a caller of a key',
  'sessions.readInvitation': 'proves who acts by the token of a link',
  'sessions.accept': 'proves who acts by the token of a link',
  'sessions.signIn': 'proves who acts by a password',
  'sessions.find': 'proves who acts by the token of a session',
  'sessions.signOut': 'proves who acts by the token of a session',
  'audit.record': 'is told by the use cases above, before it is known who acts',
  'audit.settled': 'is upkeep of the process',
  'maintenance.addFirstCategories': 'is the first start of the process',
  'maintenance.firstAccess': 'is the first start of the process',
  'maintenance.hasOperator': 'is a start of the process',
  'maintenance.revoke': 'is the first start of the process',
  'maintenance.sweep': 'is upkeep of the process',
};
