import { expect } from 'chai';
import { mock } from 'node:test';
import { ServerKeys, TOKEN_SECONDS, type KeySet } from '../../../adapters/authorization-server/keys.js';
import { InMemoryOAuthRecords } from '../../../adapters/in-memory/index.js';
import type { OAuthRecord } from '../../../domain/ports.js';

const START_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;

/** Two processes on one store, with one clock. */
function twoProcesses() {
  const records = new InMemoryOAuthRecords();
  let time = START_MS;
  const now = () => new Date(time);
  const [one, other] = [new ServerKeys(records, now), new ServerKeys(records, now)];
  return { records, now, one, other, wait: (seconds: number) => (time += seconds * SECOND_MS) };
}

const idsOf = ({ jwks }: KeySet) => jwks.map(({ kid }) => kid);
const firstOf = (keys: KeySet) => idsOf(keys)[0];

describe('The keys of the authorization server', () => {
  it('are the same in processes that start at once, also the one that signs', async () => {
    const { one, other, wait } = twoProcesses();
    await Promise.all([one.current(), other.current()]);
    wait(6);
    const [ofOne, ofOther] = [await one.current(), await other.current()];
    expect(idsOf(ofOne)).to.deep.equal(idsOf(ofOther)).and.not.be.empty;
    expect(ofOne.cookieKeys).to.deep.equal(ofOther.cookieKeys);
  });

  it('are made once: a later start uses them', async () => {
    const { one, other } = twoProcesses();
    expect(idsOf(await one.current()))
      .to.deep.equal(idsOf(await other.current()))
      .and.have.length(1);
  });

  it('sign with a new one 10 seconds after a rotation; the old one verifies for an hour', async () => {
    const { one, other, wait, records, now } = twoProcesses();
    const old = firstOf(await one.current());
    await other.current();
    wait(10);
    const id = await one.rotate();
    expect(idsOf(await one.current())).to.deep.equal([old, id]);
    wait(10);
    expect(idsOf(await other.current())).to.deep.equal([id, old]);
    wait(TOKEN_SECONDS + 50);
    expect(idsOf(await other.current())).to.deep.equal([id]);
    await records.removeExpired(now());
    expect(idsOf(await one.current())).to.deep.equal([id]);
  });

  for (const [title, before] of [
    ['after a rotation', 60],
    ['after one on a store that is new', 0],
  ] as const)
    it(`sign nothing that the other process refuses, ${title}`, async () => {
      const { one, other, wait } = twoProcesses();
      await Promise.all([one.current(), other.current()]);
      wait(before);
      for (let turn = 0; turn < 30; turn += 1) {
        if (turn === 2) await one.rotate();
        const [signing, accepting] = turn % 2 === 0 ? [one, other] : [other, one];
        const { jwks, cookieKeys } = await accepting.current();
        const signed = await signing.current();
        expect(
          jwks.map(({ kid }) => kid),
          `after ${turn} s`,
        ).to.include(firstOf(signed));
        expect(cookieKeys, `after ${turn} s`).to.include(signed.cookieKeys[0]);
        wait(1);
      }
    });

  it('are at most eight: one more is refused, and none that is still accepted is lost', async () => {
    const { one, other, wait } = twoProcesses();
    const ids = [firstOf(await one.current())];
    for (let turn = 1; turn < 8; turn += 1) {
      wait(10);
      ids.push(await one.rotate());
    }
    wait(10);
    const refused = await one.rotate().catch((error: unknown) => error);
    expect(String(refused)).to.include('there are 8 keys that are still accepted');
    const keys = await other.current();
    expect(firstOf(keys)).to.equal(ids.at(-1));
    expect(idsOf(keys).toSorted()).to.deep.equal(ids.toSorted());
  });

  it('are replaced at once after a leak: no process accepts an old one after 5 seconds', async () => {
    const { one, other, wait } = twoProcesses();
    await Promise.all([one.current(), other.current()]);
    wait(10);
    await one.rotate();
    wait(10);
    await other.current();
    const id = await one.rotate({ atOnce: true });
    expect(idsOf(await one.current())).to.deep.equal([id]);
    wait(5);
    expect(idsOf(await other.current())).to.deep.equal([id]);
  });

  it('that were removed after a leak stay removed, though another rotation had read them', async () => {
    const { one, other, wait, records } = twoProcesses();
    const leaked = firstOf(await one.current());
    wait(10);
    mock.method(records, 'upsert', async (record: OAuthRecord) => {
      mock.restoreAll();
      await other.rotate({ atOnce: true });
      await records.upsert(record);
    });
    await one.rotate();
    wait(10);
    for (const process of [one, other])
      expect(idsOf(await process.current()))
        .to.have.length(2)
        .and.not.include(leaked);
  });

  it('are read again for an unknown one, at most once a second', async () => {
    const { one, other, wait, records } = twoProcesses();
    await one.current();
    wait(10);
    await other.current();
    let readings = 0;
    const list = records.list.bind(records);
    records.list = (query) => {
      readings += 1;
      return list(query);
    };
    const id = await one.rotate({ atOnce: true });
    wait(10);
    await other.current();
    readings = 0;
    wait(1);
    for (let turn = 0; turn < 20; turn += 1) await other.renewed();
    expect(idsOf(await other.renewed())).to.deep.equal([id]);
    expect(readings).to.equal(1);
  });
});
