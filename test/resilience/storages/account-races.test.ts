import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { newMongoClient } from '../../../adapters/mongodb/index.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { AuditEntryId } from '../../../domain/audit.js';
import { invitation, inviting } from '../../contracts/developers.js';
import { hashOf } from '../../contracts/keys.js';
import { at, numbers } from '../../contracts/offers.js';
import {
  entryName,
  newSession,
  openStore,
  ownInvitation,
  ROUNDS,
  sharedName,
  TOGETHER,
  type Place,
  type Store,
  type Wins,
} from '../../support/account-racer.js';
import { describeMongo } from '../../support/mongodb.js';
import { describePostgres } from '../../support/postgres.js';
import { Workplace } from '../../support/process.js';
import { session, start } from '../../contracts/sessions.js';

const RACERS = [0, 1, 2];
const EVERY_ROUND = numbers(ROUNDS);

/** What there is to race for: invitations and sessions that all know, and for each racer invitations of its own. */
async function prepare({ developers }: Store): Promise<void> {
  for (const round of EVERY_ROUND) {
    await developers.invite(`round-${round}` as DeveloperId, inviting(invitation(round), at(0)));
    for (const racer of RACERS) {
      const own = { hash: ownInvitation(racer, round), until: at(1_000) };
      await developers.invite(`racer-${racer}-${round}` as DeveloperId, inviting(own, at(0)));
    }
    await start({ developers }, session(round));
  }
}

/** Starts the processes, lets them go at once, and answers who won what. */
async function race(place: Place): Promise<readonly Wins[]> {
  const children = RACERS.map(() => fork(new URL('../../support/account-racer.js', import.meta.url)));
  const tell = async (message: (racer: number) => object): Promise<readonly Wins[]> =>
    Promise.all(
      children.map(async (child, racer) => {
        const answered = once(child, 'message') as Promise<[{ wins?: Wins; error?: string }]>;
        child.send(message(racer));
        const [{ wins, error }] = await answered;
        expect(error).to.equal(undefined);
        return wins as Wins;
      }),
    );
  try {
    await tell(() => ({ place }));
    return await tell((racer) => ({ go: racer }));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

async function judge(store: Store, wins: readonly Wins[]): Promise<void> {
  for (const prize of ['activated', 'named', 'ended', 'added'] as const)
    expect(
      wins.flatMap((one) => one[prize]).sort((one, other) => one - other),
      prize,
    ).to.deep.equal(EVERY_ROUND);
  for (const round of EVERY_ROUND) {
    const winner = wins.findIndex(({ activated }) => activated.includes(round));
    const developer = await store.developers.find(`round-${round}` as DeveloperId);
    expect(developer).to.include({ signInName: `Round ${round}, racer ${winner}` });
    expect(developer).not.to.have.property('invitation');
    const named = wins.findIndex((one) => one.named.includes(round));
    expect((await store.developers.findBySignInName(`wanted ${round}`))?.id).to.equal(`racer-${named}-${round}`);
    expect(await store.sessions.findByHash(hashOf(round))).to.equal(undefined);
    const added = wins.findIndex((one) => one.added.includes(round));
    expect((await store.sessions.findByHash(newSession(round)))?.createdAt).to.deep.equal(at(added));
  }
  await judgeAudit(store);
}

/** That each entry is there once, in the order of the ids. */
async function judgeAudit({ audit }: Store): Promise<void> {
  const ids = (await audit.list({ limit: 1_000 })).map(({ id }) => id as string).reverse();
  const own = RACERS.flatMap((racer) =>
    EVERY_ROUND.flatMap((round) => numbers(TOGETHER).map((n) => entryName(racer, round, n))),
  );
  expect(ids).to.deep.equal([...own, ...EVERY_ROUND.map(sharedName)]);
  const half = ids.toReversed().slice(100, 150) as AuditEntryId[];
  const part = await audit.list({ limit: 49, before: half[0] ?? expect.fail() });
  expect(part.map(({ id }) => id)).to.deep.equal(half.slice(1));
}

async function raceOver(place: Place): Promise<void> {
  const store = await openStore(place);
  try {
    await prepare(store);
    await judge(store, await race(place));
  } finally {
    await store.close();
  }
}

const TITLE = 'use each invitation, name and session once, and append to the audit without a loss, a double or a tear';

describe('Three processes on one SQLite file', () => {
  it(TITLE, async () => {
    const place = await Workplace.open();
    try {
      await raceOver({ file: place.database });
    } finally {
      await place.clear();
    }
  });
});

describePostgres('Three processes on one PostgreSQL schema', (newPlace) => {
  it(TITLE, async () => raceOver(await newPlace()));
});

describeMongo('Three processes on one MongoDB database', function (url) {
  it(TITLE, async () => {
    const name = `races-${randomUUID()}`;
    try {
      await raceOver({ url: url(), name });
    } finally {
      const client = newMongoClient(url());
      await client.db(name).dropDatabase();
      await client.close();
    }
  });
});
