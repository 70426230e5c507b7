import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKeyId } from '../../domain/api-key.js';
import type { AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import { isDomainError } from '../../domain/errors.js';
import type { SearchQuery, Storage } from '../../domain/ports.js';
import { searchTerms } from '../../domain/search-terms.js';
import { identity } from './developer-identities.js';
import { activation, ANY_OPERATOR, invitation, inviting } from './developers.js';
import { apiKey, hashOf, keyIdOf } from './keys.js';
import {
  ADA,
  at,
  auditEntry,
  automation,
  automationIdOf,
  bulkWithdrawal,
  offer,
  revision,
  store,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { PASSWORD_HASH, session, signIn, start } from './sessions.js';
import { searched } from './searches.js';
import type { StorageHandles } from './storage-handles.js';

/** A call with an id, and its outcome when nothing has this id. */
type Ask<Id> = readonly [ask: (storage: Storage, id: Id) => Promise<unknown>, nothing: unknown];

const { signInName, passwordHash } = { signInName: 'Eve', passwordHash: '$eve$' };
const PART = { limit: 10 } as const;

const DEVELOPERS: Readonly<Record<string, Ask<DeveloperId>>> = {
  'automations.withdrawAll': [
    ({ automations }, developerId) => automations.withdrawAll({ ...bulkWithdrawal(1), developerId }),
    [],
  ],
  'automations.withdraw': [
    ({ automations }, developerId) => automations.withdraw(automationIdOf(1), withdrawal(1, { developerId })),
    'unknown',
  ],
  'archive.scan': [({ archive }, developerId) => archive.scan({ developerId, order: 'newest-first', ...PART }), []],
  'keys.list': [({ keys }, developerId) => keys.list({ developerId, ...PART }), []],
  'keys.listActive': [({ keys }, id) => keys.listActive(id, at(1)), []],
  'keys.countActive': [({ keys }, id) => keys.countActive(id, at(1)), 0],
  'keys.listEnded': [({ keys }, developerId) => keys.listEnded({ developerId, asOf: at(99), ...PART }), []],
  'keys.countEnded': [({ keys }, id) => keys.countEnded(id, at(99)), 0],
  'developers.find': [({ developers }, id) => developers.find(id), undefined],
  'developers.suspend': [({ developers }, id) => developers.suspend(id, { at: at(1), ...ANY_OPERATOR }), undefined],
  'developers.restore': [({ developers }, id) => developers.restore({ id, entries: [] }), undefined],
  'developers.setRole': [({ developers }, id) => developers.setRole(id, { role: 'buyer', ...ANY_OPERATOR }), undefined],
  'developers.rename': [({ developers }, id) => developers.rename(id, { signInName, entries: [] }), undefined],
  'developers.setProfile': [
    ({ developers }, id) => developers.setProfile(id, { profile: { publicName: 'Eve' }, entries: [] }),
    false,
  ],
  'developers.changeSignIn': [
    ({ developers }, id) => developers.changeSignIn(id, { current: '$ada$', signInName, passwordHash, entries: [] }),
    false,
  ],
  'developers.signIn': [({ developers }, id) => developers.signIn(id, signIn(1)), false],
  'sessions.list': [({ sessions }, id) => sessions.list(id), []],
  'sessions.endAll': [({ sessions }, id) => sessions.endAll({ developerId: id, entries: [] }), 0],
  'auditLog.list': [({ auditLog }, developerId) => auditLog.list({ developerId, ...PART }), []],
  'developers.list, as `before`': [({ developers }, before) => developers.list({ before, ...PART }), []],
  search: [(storage, developerId) => foundBy(storage, { developerId }), []],
};

const AUTOMATIONS: Readonly<Record<string, Ask<AutomationId>>> = {
  'automations.find': [({ automations }, id) => automations.find(id), undefined],
  'automations.revise': [
    ({ automations }, id) => automations.revise(revision(automation(1), { id, title: 'New' })),
    { outcome: 'unknown' },
  ],
  'automations.withdraw': [({ automations }, id) => automations.withdraw(id, withdrawal(1)), 'unknown'],
  'archive.findAny': [({ archive }, id) => archive.findAny(id), undefined],
  'automations.list, as `after`': [
    ({ automations }, after) =>
      automations
        .list({ page: { after, limit: 10 } })
        .catch((error: unknown) => (isDomainError(error) ? error.kind : error)),
    'invalid',
  ],
  'archive.scan': [({ archive }, after) => archive.scan({ after, order: 'newest-first', ...PART }), []],
};

const CATEGORIES: Readonly<Record<string, Ask<CategoryId>>> = {
  'automations.list': [
    async ({ automations }, category) => (await automations.list({ category, page: { number: 1, limit: 10 } })).items,
    [],
  ],
  'categories.find': [({ categories }, id) => categories.find(id), undefined],
  search: [(storage, category) => foundBy(storage, { category }), []],
};

const KEYS: Readonly<Record<string, Ask<ApiKeyId>>> = {
  'keys.find': [({ keys }, id) => keys.find(id), undefined],
  'keys.revoke': [({ keys }, id) => keys.revoke(id, { at: at(1), entries: [] }), false],
  'keys.rename': [({ keys }, id) => keys.rename(id, { name: 'New', entries: [] }), false],
  'keys.replace': [({ keys }, id) => keys.replace(id, { successor: apiKey(9), until: at(1), entries: [] }), false],
  'keys.noteUse': [({ keys }, id) => keys.noteUse(id, at(1)), undefined],
  'keys.list, as `before`': [({ keys }, before) => keys.list({ before, ...PART }), []],
  'keys.listEnded, as `before`': [
    ({ keys }, before) => keys.listEnded({ developerId: ADA, asOf: at(99), before, ...PART }),
    [],
  ],
};

/** Names to sign in with, and what is contained in names. The empty text is contained in each. */
const NAMES: Readonly<Record<string, Ask<string>>> = {
  'developers.findBySignInName': [({ developers }, name) => developers.findBySignInName(name), undefined],
  'developers.findShownAs': [({ developers }, name) => developers.findShownAs(name as DeveloperId), undefined],
  'developers.list': [({ developers }, text) => developers.list({ text, ...PART }), []],
  'developers.count': [({ developers }, text) => developers.count(text), 0],
};

/** Subjects, and names of issuers. */
const IDENTITIES: Readonly<Record<string, Ask<string>>> = {
  'developers.findByIdentity, the subject': [
    ({ developers }, subject) => developers.findByIdentity(identity(subject)),
    undefined,
  ],
  'developers.findByIdentity, the issuer': [
    ({ developers }, issuer) => developers.findByIdentity(identity('ada', issuer)),
    undefined,
  ],
};

const HASHES: Readonly<Record<string, Ask<string>>> = {
  'keys.findByHash': [({ keys }, hash) => keys.findByHash(hash), undefined],
  'developers.findByInvitation': [({ developers }, hash) => developers.findByInvitation(hash), undefined],
  'developers.activate': [
    ({ developers }, hash) => developers.activate(hash, activation(signInName, { passwordHash, at: at(1) })),
    false,
  ],
  'sessions.findByHash': [({ sessions }, hash) => sessions.findByHash(hash), undefined],
  'sessions.renew': [({ sessions }, hash) => sessions.renew(hash, at(99)), undefined],
  'sessions.end': [({ sessions }, hash) => sessions.end({ hash, entries: [] }), false],
};

/** Texts that are nearly an id, that are patterns, and that a database may cut off or cannot hold. */
export function near(id: string): readonly string[] {
  return ['', id.slice(0, -1), id.toUpperCase(), '%', `${id.slice(0, -1)}_`, '\0', `${id}\0`, '\uD800', `${id}\uD800`];
}

/** Declares that a text which is the id of nothing finds nothing, changes nothing, and never stands for all. */
export function strangeIds(suite: Suite<StorageHandles>): void {
  const kinds = {
    developers: [DEVELOPERS, ADA],
    automations: [AUTOMATIONS, automationIdOf(1)],
    categories: [CATEGORIES, TOOLS],
    'API keys': [KEYS, keyIdOf(1)],
    identities: [IDENTITIES, 'ada'],
    'secrets, by their hashes': [HASHES, hashOf(0xabcdef)],
  } as const;
  suite.describe('A text that nothing has as its id finds and changes nothing: one that is nearly an id', () => {
    for (const [kind, [asks, id]] of Object.entries(kinds))
      suite.it(`of ${kind}, with U+0000 and half a surrogate pair among them`, async ([storage]) => {
        await fill(storage);
        const before = await contentOf(storage);
        for (const text of near(id).filter((one) => one !== id))
          for (const [name, [ask, nothing]] of Object.entries(asks as Readonly<Record<string, Ask<string>>>))
            assert.deepEqual(await ask(storage, text), nothing, `${name}(${JSON.stringify(text)})`);
        assert.deepEqual(await contentOf(storage), before);
      });
    suite.it('of names, with U+0000 and half a surrogate pair among them', async ([storage]) => {
      const { developers } = storage;
      await fill(storage);
      await developers.activate(hashOf(0xabcdef), activation('ada'));
      await developers.setProfile(ADA, { profile: { publicName: 'ada' }, entries: [] });
      for (const text of ['%', 'ad_', '\0', 'ada\0', '\uD800', 'ada\uD800'])
        for (const [name, [ask, nothing]] of Object.entries(NAMES))
          assert.deepEqual(await ask(storage, text), nothing, `${name}(${JSON.stringify(text)})`);
    });
    suite.it('of the session that another password keeps: every session of the developer ends', async ([storage]) => {
      const { hash } = session(0xabcdef);
      let current = PASSWORD_HASH;
      await start(storage, session(1));
      for (const keptSession of ['', hash.slice(0, -1), hash.toUpperCase(), '%', `${hash}0`]) {
        assert.equal(await storage.developers.signIn(ADA, signIn(0xabcdef, { passwordHash: current })), true);
        const change = { current, signInName, passwordHash: `${current}!`, keptSession, entries: [] };
        assert.equal(await storage.developers.changeSignIn(ADA, change), true);
        current = change.passwordHash;
        assert.deepEqual(await storage.sessions.list(ADA), [], JSON.stringify(keptSession));
      }
    });
  });
}

/** Returns what a search finds; nothing where the storage has none. */
async function foundBy({ search }: Storage, filter: Partial<SearchQuery>): Promise<readonly unknown[]> {
  if (search === undefined) return [];
  const queries = [filter, { ...filter, status: 'on-sale' as const }, { ...filter, terms: searchTerms('automation') }];
  const pages = queries.map((one) => searched(search, { page: { number: 1, limit: 10 }, order: 'newest', ...one }));
  return (await Promise.all(pages)).flatMap(({ items, total }): readonly unknown[] => (total === 0 ? items : [total]));
}

async function fill(storage: Storage): Promise<void> {
  const { automations, auditLog, categories, developers, keys } = storage;
  await store(automations, offer(1));
  await categories.save([{ id: TOOLS, name: 'Tools' }]);
  await keys.add({ key: apiKey(1, { hash: hashOf(0xabcdef) }), entries: [] });
  await start(storage, session(0xabcdef));
  await developers.invite(ADA, inviting({ ...invitation(1), hash: hashOf(0xabcdef) }, at(0)));
  await developers.identify(identity(), { id: ADA, at: at(0), entries: [] });
  await auditLog.append([auditEntry(1)]);
}

async function contentOf({ archive, auditLog, categories, developers, keys, sessions }: Storage): Promise<unknown> {
  return Promise.all([
    archive.scan({ order: 'newest-first', ...PART }),
    categories.list(),
    keys.list(PART),
    developers.list(PART),
    sessions.list(ADA),
    auditLog.list(PART),
  ]);
}
