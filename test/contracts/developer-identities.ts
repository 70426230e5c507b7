import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Identity } from '../../domain/identity.js';
import type { DeveloperRepository, IdentifiedDeveloper } from '../../domain/ports.js';
import { assertRecorded } from './archives.js';
import { active, allDevelopers, ANY_OPERATOR, assertKnown, invited } from './developers.js';
import { tamper } from './handles.js';
import { ADA, at, auditEntry, BOB, LONGEST_DEVELOPER, numbers } from './offers.js';
import type { Suite } from './runner.js';
import type { SessionStore } from './sessions.js';

const ISSUER = 'https://id.example';
const EVE = 'eve' as DeveloperId;

/** Subjects that are different, and that a store could take for one another or for its own words. */
const SUBJECTS = [
  ...['ada', 'Ada', 'ADA', 'ada ', ' ada', 'ad', '$ada', '$$ROOT', '%', '_', "'", '"', '\\', 'a.b', 'auth0|5f7c'],
  ...['é', 'e\u0301', 'ｅ', 'ß', 'ss', '👩‍👩‍👧', 'null', '{"$ne":null}', 'x'.repeat(255), '🙂'.repeat(255)],
];

export function identity(subject = 'ada', issuer = ISSUER): Identity {
  return { issuer, subject };
}

function identified(id: DeveloperId, n = 0): IdentifiedDeveloper {
  return { id, at: at(n), entries: [] };
}

/** Asserts that these are the identities, in any order. */
async function assertIdentities(
  repository: DeveloperRepository,
  ids: readonly DeveloperId[],
  ...expected: readonly (readonly [issuer: string, subject: string, developerId: DeveloperId])[]
): Promise<void> {
  const known = await repository.listIdentities(ids);
  const rows = known.map(({ issuer, subject, developerId, ...others }) => {
    assert.deepEqual(others, {});
    return JSON.stringify([issuer, subject, developerId]);
  });
  assert.deepEqual(rows.toSorted(), expected.map((row) => JSON.stringify(row)).toSorted());
}

export function identityPromises({ describe, it }: Suite<SessionStore>): void {
  describe('Gives an identity to the developer with this id, who is added as by `register` when there is none', () => {
    it('a new one, in their order among the others', async ({ developers }) => {
      const ada = { id: ADA, role: 'developer', addedAt: at(7) } as const;
      assert.deepEqual(await developers.identify(identity(), identified(ADA, 7)), ada);
      await assertKnown(developers, ada, await invited(developers, BOB, 1));
      assert.equal(await developers.register(ADA, { at: at(8), entries: [] }), false);
    });

    it('one with the longest id', async ({ developers }) => {
      const { id } = await developers.identify(identity(), identified(LONGEST_DEVELOPER));
      assert.equal(id, LONGEST_DEVELOPER);
      assert.equal((await developers.findByIdentity(identity()))?.id, LONGEST_DEVELOPER);
    });
  });

  describe('Nothing else of a known developer changes', () => {
    it('one with a sign-in, who gets two identities', async ({ developers }) => {
      const ada = await active(developers, ADA, 1, 'Ada');
      for (const subject of ['1', '2'])
        assert.deepEqual(await developers.identify(identity(subject), identified(ADA, 9)), ada);
      await assertKnown(developers, ada);
      await assertIdentities(developers, [ADA], [ISSUER, '1', ADA], [ISSUER, '2', ADA]);
    });

    it('one who is suspended stays suspended', async ({ developers }) => {
      await developers.identify(identity(), identified(ADA));
      await developers.suspend(ADA, { at: at(1), ...ANY_OPERATOR });
      const suspended = { id: ADA, role: 'developer', addedAt: at(0), suspendedAt: at(1) } as const;
      for (const subject of ['ada', 'another'])
        assert.deepEqual(await developers.identify(identity(subject), identified(ADA, 9)), suspended);
      for (const subject of ['ada', 'another'])
        assert.deepEqual(await developers.findByIdentity(identity(subject)), suspended);
    });
  });

  describe('When a developer has the identity already, returns that one and changes nothing', () => {
    it('for another id, which is not added', async ({ developers }) => {
      const ada = await developers.identify(identity(), identified(ADA));
      assert.deepEqual(await developers.identify(identity(), identified(BOB, 9)), ada);
      await assertKnown(developers, ada);
      await assertIdentities(developers, [ADA, BOB], [ISSUER, 'ada', ADA]);
    });

    it('when raced, one call gives it, and all return the same developer', async (store) => {
      const { developers } = store;
      const calls = numbers(20).map((n) =>
        developers.identify(identity(), {
          ...identified(`person-${n}` as DeveloperId, n),
          entries: [auditEntry(n)],
        }),
      );
      const ids = (await Promise.all(calls)).map(({ id }) => id);
      assert.equal(new Set(ids).size, 1);
      assert.deepEqual(
        (await allDevelopers(developers)).map(({ id }) => id),
        ids.slice(0, 1),
      );
      await assertRecorded(store, auditEntry(Number(ids[0]?.slice('person-'.length))));
    });

    it('20 identities of one new developer at once', async ({ developers }) => {
      const calls = numbers(20).map((n) => developers.identify(identity(`${n}`), identified(ADA)));
      for (const { id } of await Promise.all(calls)) assert.equal(id, ADA);
      assert.equal((await developers.listIdentities([ADA])).length, 20);
    });
  });

  describe('Returns the developer who has this identity, field for field; undefined when there is none', () => {
    it('two issuers with one subject are two people', async ({ developers }) => {
      await developers.identify(identity('1', 'host'), identified(ADA));
      await developers.identify(identity('1'), identified(BOB));
      assert.equal((await developers.findByIdentity(identity('1', 'host')))?.id, ADA);
      assert.equal((await developers.findByIdentity(identity('1')))?.id, BOB);
      for (const issuer of ['', 'Host', 'hos', `${ISSUER}/`])
        assert.equal(await developers.findByIdentity(identity('1', issuer)), undefined);
    });

    it('with all there is to a developer', async ({ developers }) => {
      const ada = await active(developers, ADA, 1, 'Ada');
      await developers.identify(identity(), identified(ADA));
      assert.deepEqual(await developers.findByIdentity(identity()), ada);
    });

    it('subjects are compared letter by letter', async ({ developers }) => {
      for (const [n, subject] of SUBJECTS.entries()) {
        assert.equal(await developers.findByIdentity(identity(subject)), undefined);
        await developers.identify(identity(subject), identified(`person-${n}` as DeveloperId));
      }
      for (const [n, subject] of SUBJECTS.entries()) {
        assert.equal((await developers.findByIdentity(identity(subject)))?.id, `person-${n}`);
        await assertIdentities(
          developers,
          [`person-${n}` as DeveloperId],
          [ISSUER, subject, `person-${n}` as DeveloperId],
        );
      }
    });
  });

  describe('Returns every identity of these developers, in any order', () => {
    it('those of each, and none of an unknown one', async ({ developers }) => {
      await developers.identify(identity('1'), identified(ADA));
      await developers.identify(identity('2', 'host'), identified(ADA));
      await developers.identify(identity('1', 'host'), identified(BOB));
      await assertIdentities(developers, [ADA], [ISSUER, '1', ADA], ['host', '2', ADA]);
      await assertIdentities(developers, [BOB], ['host', '1', BOB]);
      await assertIdentities(developers, [EVE, BOB], ['host', '1', BOB]);
      await assertIdentities(developers, [ADA, BOB], [ISSUER, '1', ADA], ['host', '2', ADA], ['host', '1', BOB]);
      await assertIdentities(developers, [EVE]);
      await assertIdentities(developers, []);
    });

    it('what comes out is no handle on the store', async ({ developers }) => {
      const given = identity();
      tamper(await developers.identify(given, identified(ADA)));
      tamper(given);
      tamper(await developers.findByIdentity(identity()));
      tamper(await developers.listIdentities([ADA]));
      assert.deepEqual(await developers.findByIdentity(identity()), { id: ADA, role: 'developer', addedAt: at(0) });
      await assertIdentities(developers, [ADA], [ISSUER, 'ada', ADA]);
    });
  });
}
