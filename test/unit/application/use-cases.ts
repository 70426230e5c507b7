import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { Passwords } from '../../../application/accounts.js';
import type { App } from '../../../domain/app.js';
import type { Connection } from '../../../domain/connection.js';
import {
  newCore,
  OPERATOR,
  requestKey,
  type ApiKey,
  type ApiKeyId,
  type Automation,
  type Caller,
  type Core,
  type Operator,
  type Person,
} from '../../../application/index.js';
import { newCategory } from '../../../domain/category.js';
import { ada, bob } from './people.js';
import { signedIn } from '../../support/signed-in.js';

const WITH_LINK = { key: true, link: true };

/** A value that a host in JavaScript passes as the one who acts; the types take it for anything. */
export type Who = Caller & Person & Operator;

export interface Market extends Core {
  /** Of ada, as everything here that is not of bob. */
  readonly key: ApiKey;
  readonly keyText: string;
  readonly automation: Automation;
  readonly sessionToken: string;
  readonly app: App;
  readonly connection: Connection;
}

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const PASSWORD = 'violin-crater-7-moss';
const NEW_KEY_ID = '01900000-0000-7000-8000-0000000000aa' as ApiKeyId;

const APP_REQUEST = { name: 'Ledger', kind: 'machine', redirectUris: [], scopes: ['automations:read'] } as const;
const CONSENT = { name: 'Ledger', scopes: ['automations:read'], audience: 'api' } as const;

/** Returns a market in which ada and bob have each an account, a key, an automation, a session and a connected app. */
export async function openMarket(): Promise<Market> {
  const storage = inMemoryStorage();
  await storage.categories.save([
    newCategory({ id: 'tools', name: 'Tools' }),
    newCategory({ id: 'empty', name: 'Empty' }),
  ]);
  const core = newCore(storage, { passwords: new Passwords({ cost: 4 }) });
  await stock(core, bob);
  return { ...core, ...(await stock(core, ada)) };
}

async function stock(core: Core, owner: Caller) {
  const { accounts, keys, marketplace, sessions } = core;
  const { token } = await accounts.invite(OPERATOR, owner.developerId);
  const signedIn = await sessions.accept(token, { name: owner.developerId, password: PASSWORD });
  const { key, text } = await keys.issue(OPERATOR, { developer: owner.developerId, scopes: ['automations:read'] });
  const automation = await marketplace.createAutomation(owner, DRAFT);
  const { apps, connections } = withApps(core);
  const by = { isSignedIn: true, developerId: owner.developerId, role: 'developer' } as const;
  const { app } = await apps.register(by, APP_REQUEST);
  const connection = await connections.connect(by, { ...CONSENT, clientId: app.id });
  return { key, keyText: text, automation, sessionToken: signedIn.token, app, connection };
}

/** Returns the use cases of a core whose storage has records of an authorization server. */
function withApps({ apps, connections }: Core) {
  if (apps === undefined || connections === undefined) throw new Error('the storage has no records');
  return { apps, connections };
}

/** The kinds of actors: the keys of ada by their scopes, people who are signed in, and the operator. */
export type Kind =
  | 'a key without scopes'
  | 'a key that reads'
  | 'a key that writes'
  | 'a key with both scopes'
  | 'a buyer'
  | 'a developer'
  | 'an operator as a person'
  | 'another developer'
  | 'an operator who is signed in'
  | 'OPERATOR';

/** A use case, and what comes of it for each kind of actor. */
export interface Row {
  /** Returns nothing, or the owners of what was returned or changed. */
  readonly call: (market: Market, by: Who) => Promise<unknown>;
  readonly outcomes: Readonly<Record<Kind, string>>;
}

const keys = (none: string, read: string, write: string, both: string) => ({
  'a key without scopes': none,
  'a key that reads': read,
  'a key that writes': write,
  'a key with both scopes': both,
});
const people = (buyer: string, developer: string, other: string) => ({
  'a buyer': buyer,
  'a developer': developer,
  'an operator as a person': developer,
  'another developer': other,
});
const operators = (outcome: string) => ({ 'an operator who is signed in': outcome, OPERATOR: outcome });

const NO_KEY = keys('refused', 'refused', 'refused', 'refused');
const NO_PERSON = people('refused', 'refused', 'refused');
const NO_OPERATOR = operators('refused');

const READS_THE_MARKET = { ...keys('forbidden', 'done', 'forbidden', 'done'), ...NO_PERSON, ...NO_OPERATOR };
const CREATES = { ...keys('forbidden', 'forbidden', 'ada', 'ada'), ...NO_PERSON, ...NO_OPERATOR };
/** Who may create or revise may ask what would be refused. */
const REVIEWS = {
  ...keys('forbidden', 'forbidden', 'done', 'done'),
  ...people('forbidden', 'done', 'done'),
  ...operators('done'),
};
const OPERATOR_ALONE = { ...NO_KEY, ...NO_PERSON, ...operators('done') };
/** The one who acts gets or changes what is their own; the operator has everything. */
const OWN_OR_ALL = { ...NO_KEY, ...people('ada', 'ada', 'bob'), ...operators('ada bob') };
/** The same, of ada. */
const OF_ADA = { ...NO_KEY, ...people('ada', 'ada', 'not-found'), ...operators('ada') };
const OWN_ALONE = { ...NO_KEY, ...people('ada', 'ada', 'bob'), ...NO_OPERATOR };
const WRITES_TO_ADA = { ...NO_KEY, ...people('done', 'done', 'not-found'), ...operators('done') };
const SELLS = { ...NO_KEY, ...people('forbidden', 'done', 'not-found'), ...operators('done') };
/** An entry is made for the one who acts, a key as well, since it creates. */
const RECORDED = { ...keys('ada', 'ada', 'ada', 'ada'), ...people('ada', 'ada', 'bob'), ...operators('ada') };

const owners = (items: readonly { readonly developerId?: string }[]) =>
  Array.from(new Set(items.map(({ developerId }) => developerId)))
    .toSorted()
    .join(' ');

/** Returns what reports an automation that a visitor has reported. */
async function reported({ reports, automation }: Market) {
  if (reports === undefined) throw new Error('the storage has no reports');
  await reports.report({ isVisitor: true }, automation.id, { kind: 'other' });
  return reports;
}

async function listOf(reading: Promise<unknown> | undefined): Promise<void> {
  if ((await reading) === undefined) throw new Error('the storage has no reports');
}

/** Every use case that takes who acts. */
export const TABLE: Readonly<Record<string, Row>> = {
  'marketplace.listAutomations': {
    call: ({ marketplace }, by) => marketplace.listAutomations(by),
    outcomes: READS_THE_MARKET,
  },
  'marketplace.readAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.readAutomation(by, automation.id),
    outcomes: READS_THE_MARKET,
  },
  'marketplace.readFile': {
    call: ({ marketplace, automation }, by) => marketplace.readFile(by, automation),
    outcomes: READS_THE_MARKET,
  },
  'marketplace.listCategories': {
    call: ({ marketplace }, by) => marketplace.listCategories(by),
    outcomes: READS_THE_MARKET,
  },
  'marketplace.createAutomation': {
    call: async ({ marketplace }, by) => owners([await marketplace.createAutomation(by, DRAFT)]),
    outcomes: CREATES,
  },
  'marketplace.createAutomationOnce': {
    call: async ({ marketplace }, by) => owners([(await marketplace.createAutomationOnce(by, DRAFT)).automation]),
    outcomes: CREATES,
  },
  'marketplace.createAutomationsOnce': {
    call: async ({ marketplace }, by) => {
      const settled = await marketplace.createAutomationsOnce(by, [{ draft: DRAFT, key: requestKey('one') }]);
      return owners(settled.flatMap((one) => (one.status === 'fulfilled' ? one.value.automation : [])));
    },
    outcomes: CREATES,
  },
  'marketplace.reviewAutomation': {
    call: ({ marketplace }, by) => marketplace.reviewAutomation(by, DRAFT),
    outcomes: REVIEWS,
  },
  'marketplace.prepareImports': {
    call: async ({ marketplace, automation }, by) => {
      const { price, createdAt, updatedAt, ...same } = automation;
      const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
      const sent = { ...same, ...times, price: 9.99, currency: price.currency };
      for (const one of await marketplace.prepareImports(by, [sent])) if (one instanceof Error) throw one;
    },
    outcomes: OPERATOR_ALONE,
  },
  'marketplace.reviseAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.reviseAutomation(by, automation.id, { title: 'New' }),
    outcomes: SELLS,
  },
  'marketplace.withdrawAutomation': {
    call: ({ marketplace, automation }, by) => marketplace.withdrawAutomation(by, automation.id),
    outcomes: SELLS,
  },
  'records.find': {
    call: async ({ records }, by) => owners((await records.find(by)).items.map(({ automation }) => automation)),
    outcomes: OWN_OR_ALL,
  },
  'records.read': {
    call: async ({ records, automation }, by) => owners([(await records.read(by, automation.id)).automation]),
    outcomes: OF_ADA,
  },
  'transfer.everything': {
    call: async ({ transfer }, by) => {
      for await (const part of transfer.everything(by)) return owners(part);
      return '';
    },
    outcomes: { ...OPERATOR_ALONE, ...operators('ada bob') },
  },
  'transfer.readFile': {
    call: ({ transfer, automation }, by) => transfer.readFile(by, automation.id),
    outcomes: OPERATOR_ALONE,
  },
  'transfer.import': {
    call: ({ transfer }, by) => transfer.import(by, {}, (session) => session.importBatch([])),
    outcomes: OPERATOR_ALONE,
  },
  'keys.issue': {
    call: ({ keys }, by) => keys.issue(by, { developer: 'ada', scopes: ['automations:read'] }),
    outcomes: WRITES_TO_ADA,
  },
  'keys.issueAs': {
    call: ({ keys }, by) => keys.issueAs(by, NEW_KEY_ID, { developer: 'ada', scopes: ['automations:read'] }),
    outcomes: WRITES_TO_ADA,
  },
  'keys.list': {
    call: async ({ keys }, by) => owners((await keys.list(by)).items),
    outcomes: OWN_OR_ALL,
  },
  'keys.listActive': {
    call: async ({ keys }, by) => owners(await keys.listActive(by, 'ada')),
    outcomes: { ...OWN_OR_ALL, ...operators('ada') },
  },
  'keys.listEnded': {
    call: async ({ keys }, by) => {
      for (const { id } of (await keys.list(OPERATOR)).items) await keys.revoke(OPERATOR, id);
      return owners((await keys.listEnded(by, { developer: 'ada' })).items);
    },
    outcomes: { ...OWN_OR_ALL, ...operators('ada') },
  },
  'keys.read': {
    call: async ({ keys, key }, by) => owners([await keys.read(by, key.id)]),
    outcomes: OF_ADA,
  },
  'keys.rotate': {
    call: ({ keys, key }, by) => keys.rotate(by, key.id),
    outcomes: WRITES_TO_ADA,
  },
  'keys.rename': {
    call: ({ keys, key }, by) => keys.rename(by, key.id, 'New'),
    outcomes: WRITES_TO_ADA,
  },
  'keys.revoke': {
    call: ({ keys, key }, by) => keys.revoke(by, key.id),
    outcomes: WRITES_TO_ADA,
  },
  'accounts.invite': {
    call: ({ accounts }, by) => accounts.invite(by, 'ada'),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.list': {
    call: ({ accounts }, by) => accounts.list(by),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.count': {
    call: ({ accounts }, by) => accounts.count(by),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.find': {
    call: ({ accounts }, by) => accounts.find(by, 'ada'),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.setRole': {
    call: ({ accounts }, by) => accounts.setRole(by, 'ada', 'operator'),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.rename': {
    call: ({ accounts }, by) => accounts.rename(by, 'ada', 'Countess'),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.suspend': {
    call: ({ accounts }, by) => accounts.suspend(by, 'ada', { withdraw: true, reason: 'Spam' }),
    outcomes: OPERATOR_ALONE,
  },
  'accounts.restore': {
    call: ({ accounts }, by) => accounts.restore(by, 'ada'),
    outcomes: OPERATOR_ALONE,
  },
  'categories.add': {
    call: ({ categories }, by) => categories.add(by, { id: 'games', name: 'Games' }),
    outcomes: OPERATOR_ALONE,
  },
  'categories.rename': {
    call: ({ categories }, by) => categories.rename(by, 'tools', 'Instruments'),
    outcomes: OPERATOR_ALONE,
  },
  'categories.remove': {
    call: ({ categories }, by) => categories.remove(by, 'empty'),
    outcomes: OPERATOR_ALONE,
  },
  'categories.import': {
    call: ({ categories }, by) => categories.import(by, [newCategory({ id: 'games', name: 'Games' })]),
    outcomes: OPERATOR_ALONE,
  },
  'security.listSessions': {
    call: async ({ security, sessionToken }, by) =>
      owners((await security.listSessions(by, sessionToken)).map(() => ({ developerId: by.developerId }))),
    outcomes: OWN_ALONE,
  },
  'security.endSession': {
    call: async ({ security, sessionToken }, by) => {
      const [session] = await security.listSessions(signedIn(ada), sessionToken);
      return security.endSession(by, session?.id ?? '');
    },
    outcomes: { ...WRITES_TO_ADA, ...NO_OPERATOR },
  },
  'security.signOutEverywhere': {
    call: async ({ security, sessions, sessionToken }, by) => {
      await security.signOutEverywhere(by);
      return (await sessions.find(sessionToken)) === undefined ? 'ada' : 'bob';
    },
    outcomes: OWN_ALONE,
  },
  'security.changeSignIn': {
    call: async ({ security, sessions, sessionToken }, by) => {
      await security.changeSignIn(by, { current: PASSWORD, name: 'new name' }, sessionToken);
      return (await sessions.find(sessionToken))?.signInName === 'new name' ? 'ada' : 'bob';
    },
    outcomes: OWN_ALONE,
  },
  'sessions.start': {
    call: async ({ sessions }, by) => void (await sessions.start(by, ada.developerId, '')),
    outcomes: OPERATOR_ALONE,
  },
  'profiles.change': {
    call: async ({ profiles }, by) => {
      await profiles.change(by, { publicName: 'Analytical Engines' });
      return (await profiles.show(ada.developerId)).name === 'Analytical Engines' ? 'ada' : 'bob';
    },
    outcomes: OWN_ALONE,
  },
  'apps.register': {
    call: async (market, by) => owners([(await withApps(market).apps.register(by, APP_REQUEST)).app]),
    outcomes: OWN_ALONE,
  },
  'apps.list': {
    call: async (market, by) => owners((await withApps(market).apps.list(by)).items),
    outcomes: OWN_OR_ALL,
  },
  'apps.read': {
    call: async (market, by) => owners([await withApps(market).apps.read(by, market.app.id)]),
    outcomes: OF_ADA,
  },
  'apps.change': {
    call: (market, by) => withApps(market).apps.change(by, market.app.id, APP_REQUEST),
    outcomes: { ...WRITES_TO_ADA, ...NO_OPERATOR },
  },
  'apps.renewSecret': {
    call: (market, by) => withApps(market).apps.renewSecret(by, market.app.id),
    outcomes: { ...WRITES_TO_ADA, ...NO_OPERATOR },
  },
  'apps.revoke': {
    call: (market, by) => withApps(market).apps.revoke(by, market.app.id),
    outcomes: WRITES_TO_ADA,
  },
  'connections.connect': {
    call: async (market, by) =>
      owners([await withApps(market).connections.connect(by, { ...CONSENT, clientId: market.app.id })]),
    outcomes: OWN_ALONE,
  },
  'connections.grantable': {
    call: async (market, by) => {
      withApps(market).connections.grantable(by, CONSENT.scopes);
      return owners([await withApps(market).connections.connect(by, { ...CONSENT, clientId: market.app.id })]);
    },
    outcomes: OWN_ALONE,
  },
  'connections.list': {
    call: async (market, by) => owners((await withApps(market).connections.list(by)).items),
    outcomes: OWN_ALONE,
  },
  'connections.read': {
    call: async (market, by) => owners([await withApps(market).connections.read(by, market.connection.id)]),
    outcomes: { ...OF_ADA, ...NO_OPERATOR },
  },
  'connections.listApps': {
    call: async (market, by) =>
      owners((await withApps(market).connections.listApps(by)).items.flatMap(({ connections }) => connections)),
    outcomes: OWN_ALONE,
  },
  'connections.readApp': {
    call: async (market, by) =>
      owners((await withApps(market).connections.readApp(by, market.connection.id)).connections),
    outcomes: { ...OF_ADA, ...NO_OPERATOR },
  },
  'connections.disconnectApp': {
    call: (market, by) => withApps(market).connections.disconnectApp(by, market.connection.id),
    outcomes: { ...WRITES_TO_ADA, ...NO_OPERATOR },
  },
  'connections.disconnect': {
    call: (market, by) => withApps(market).connections.disconnect(by, market.connection.id),
    outcomes: { ...WRITES_TO_ADA, ...NO_OPERATOR },
  },
  'reports.report': {
    call: async ({ reports, automation }, by) => void (await reports?.report(by, automation.id, { kind: 'other' })),
    outcomes: { ...NO_KEY, ...people('done', 'done', 'done'), ...NO_OPERATOR },
  },
  'reports.list': {
    call: ({ reports }, by) => listOf(reports?.list(by)),
    outcomes: OPERATOR_ALONE,
  },
  'reports.read': {
    call: ({ reports, automation }, by) => listOf(reports?.read(by, automation.id)),
    outcomes: OPERATOR_ALONE,
  },
  'reports.dismiss': {
    call: async (market, by) => (await reported(market)).dismiss(by, market.automation.id),
    outcomes: OPERATOR_ALONE,
  },
  'reports.uphold': {
    call: async (market, by) => (await reported(market)).uphold(by, market.automation.id, { reason: 'A trap.' }),
    outcomes: OPERATOR_ALONE,
  },
  'audit.list': {
    call: async ({ audit }, by) => owners((await audit.list(by, { limit: 100 })).items),
    outcomes: OWN_OR_ALL,
  },
  'audit.recordBy': {
    call: async ({ audit }, by) => {
      await audit.recordBy(by, 'import-started', ada.developerId);
      return owners((await audit.list(OPERATOR, { limit: 1 })).items);
    },
    outcomes: RECORDED,
  },
  'audit.entryOf': {
    call: async ({ audit }, by) =>
      owners([audit.entryOf(by, { action: 'automation-published', developerId: ada.developerId })]),
    outcomes: RECORDED,
  },
  'audit.entriesOf': {
    call: async ({ audit }, by) => {
      const event = { action: 'automation-withdrawn', developerId: ada.developerId } as const;
      const { entryIds, auditEntry } = audit.entriesOf(by, event, 2);
      return owners(entryIds.map((id) => ({ ...auditEntry, id })));
    },
    outcomes: RECORDED,
  },
  'maintenance.addFirstCategories': {
    call: ({ maintenance }, by) => maintenance.addFirstCategories(by, [newCategory({ id: 'games', name: 'Games' })]),
    outcomes: OPERATOR_ALONE,
  },
  'maintenance.firstAccess': {
    call: ({ maintenance }, by) => maintenance.firstAccess(by, 'operator', WITH_LINK),
    outcomes: OPERATOR_ALONE,
  },
  'maintenance.hasOperator': {
    call: ({ maintenance }, by) => maintenance.hasOperator(by),
    outcomes: OPERATOR_ALONE,
  },
  'maintenance.revoke': {
    call: ({ maintenance, key }, by) => maintenance.revoke(by, { name: 'ada', key: { id: key.id, text: '' } }),
    outcomes: OPERATOR_ALONE,
  },
  'maintenance.sweep': {
    call: ({ maintenance }, by) => maintenance.sweep(by),
    outcomes: OPERATOR_ALONE,
  },
};

/** Use cases for everyone, or for whom a secret proves who they are, and why they take no one who acts. */
export const FOR_EVERYONE: Readonly<Record<string, string>> = {
  'marketplace.reviewListRequest': 'names the rules that a request breaks',
  'catalogue.review': 'names the rules that a request breaks',
  'catalogue.find': 'is on sale',
  'catalogue.categories': 'is on sale',
  'catalogue.ofDeveloper': 'is on sale',
  'catalogue.newest': 'is on sale',
  'catalogue.read': 'is or was on sale; it has no reason of a withdrawal',
  'catalogue.readFile': 'is given away with what is on sale',
  'catalogue.isFileRefused': 'says what a download would',
  'catalogue.moreOf': 'is on sale',
  'catalogue.size': 'is on sale',
  'catalogue.part': 'is on sale',
  'profiles.show': 'is public',
  'profiles.find': 'is public',
  'identities.accountOf': 'is asked once an issuer or a host has told who acts',
  'identities.find': 'as `accountOf`',
  'categories.list': 'is public',
  'verifier.verify': 'makes a caller of a key',
  'sessions.readInvitation': 'proves who acts by the token of a link',
  'sessions.accept': 'proves who acts by the token of a link',
  'sessions.signIn': 'proves who acts by a password',
  'sessions.find': 'proves who acts by the token of a session',
  'sessions.findHostUser': 'takes a user whom a host has signed in',
  'sessions.findHostCaller': 'takes a user whom a host has signed in, or a caller',
  'sessions.signOut': 'proves who acts by the token of a session',
  'apps.findClient': 'knows an app by its public id; its secret is checked behind it',
  'connections.end': 'is told by the authorization server, which an app asked',
  'connections.canActFor': 'is asked by the authorization server before it makes a token',
  'connections.findCaller': 'makes a caller of an access token',
  'audit.newEntry': 'makes what a caller of the core has done, before it is stored',
  'audit.record': 'is told by the use cases above, before it is known who acts',
  'audit.settled': 'is upkeep of the process',
};
