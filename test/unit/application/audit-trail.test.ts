import { expect } from 'chai';
import { InMemoryAuditLog } from '../../../adapters/in-memory/audit-log.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { brokenBy } from '../domain/failure.js';
import { ada, bob, countingIds, NOON, settled, StoppedClock } from './people.js';

/** A log that notes how many entries come together, and can be made to wait or to fail. */
class WatchedAuditLog extends InMemoryAuditLog {
  readonly groups: number[] = [];
  opened: Promise<void> = Promise.resolve();
  broken = false;

  override async append(entries: readonly AuditEntry[]): Promise<void> {
    this.groups.push(entries.length);
    await this.opened;
    if (this.broken) throw new Error('the disk is full');
    await super.append(entries);
  }
}

function open() {
  const log = new WatchedAuditLog();
  const failed: (readonly [unknown, readonly AuditEntry[]])[] = [];
  const onError = (error: unknown, entries: readonly AuditEntry[]) => void failed.push([error, entries]);
  return { log, failed, trail: new AuditTrail(log, { now: new StoppedClock().now, newId: countingIds(), onError }) };
}

const ADA = parseDeveloperId('ada');

describe('the audit trail', () => {
  it('fails nobody when whoever is told of a failure fails too, at once or later', async () => {
    const broken = new WatchedAuditLog();
    broken.append = () => Promise.reject(new Error('the disk is full'));
    const hooks = [
      () => {
        throw new Error('planted');
      },
      () => Promise.reject(new Error('planted')),
    ];
    for (const onError of hooks) await new AuditTrail(broken, { onError }).recordBy(OPERATOR, 'developer-invited', ADA);
  });

  it('says who did what, when and from where', async () => {
    const { trail } = open();
    await trail.recordBy({ ...ada, origin: { address: '192.0.2.1', requestId: 'r-1' } }, 'signed-in', ADA);
    await trail.recordBy(OPERATOR, 'developer-suspended', ADA);
    const at = new Date(NOON);
    expect((await trail.list(OPERATOR)).items).to.deep.equal([
      {
        id: '01900000-0000-7000-8000-000000000002',
        at,
        actor: 'operator',
        action: 'developer-suspended',
        developerId: 'ada',
      },
      {
        id: '01900000-0000-7000-8000-000000000001',
        at,
        actor: 'developer',
        action: 'signed-in',
        developerId: 'ada',
        address: '192.0.2.1',
        requestId: 'r-1',
      },
    ]);
  });

  it('writes together what is noted while it writes', async () => {
    const { trail, log } = open();
    let go = () => {};
    log.opened = new Promise((resolve) => (go = resolve));
    for (let n = 0; n < 10; n += 1) void trail.recordBy(ada, 'signed-in', ADA);
    const all = trail.settled();
    await settled();
    go();
    await all;
    expect(log.groups).to.deep.equal([1, 9]);
    expect((await trail.list(OPERATOR)).items).to.have.length(10);
  });

  it('gathers publications for a moment, and nothing else', async () => {
    const { trail, log } = open();
    const first = trail.recordBy(ada, 'automation-published', ADA);
    await settled();
    expect(log.groups).to.deep.equal([]);
    await first;
    await trail.recordBy(ada, 'signed-in', ADA);
    expect(log.groups).to.deep.equal([1, 1]);
    let go = () => {};
    log.opened = new Promise((resolve) => (go = resolve));
    void trail.recordBy(ada, 'signed-in', ADA);
    await settled();
    expect(log.groups).to.deep.equal([1, 1, 1]);
    void trail.recordBy(ada, 'automation-published', ADA);
    void trail.recordBy(ada, 'signed-in', ADA);
    go();
    await settled();
    expect(log.groups, 'with something else').to.deep.equal([1, 1, 1, 2]);
  });

  it('is behind while 5,000 wait, and no longer', async () => {
    const { trail, log } = open();
    let go = () => {};
    log.opened = new Promise((resolve) => (go = resolve));
    void trail.recordBy(ada, 'signed-in', ADA);
    await settled();
    for (let n = 0; n < 4_999; n += 1) void trail.recordBy(ada, 'signed-in', ADA);
    expect(trail.isBehind).to.equal(false);
    void trail.recordBy(ada, 'signed-in', ADA);
    expect(trail.isBehind).to.equal(true);
    go();
    await trail.settled();
    expect(trail.isBehind).to.equal(false);
  });

  it('never fails: what could not be written is told, and the next is written', async () => {
    const { trail, log, failed } = open();
    log.broken = true;
    await trail.recordBy(ada, 'signed-in', ADA);
    log.broken = false;
    await trail.recordBy(ada, 'signed-out', ADA);
    expect(
      failed.map(([error, entries]) => [(error as Error).message, entries.map(({ action }) => action)]),
    ).to.deep.equal([['the disk is full', ['signed-in']]]);
    expect((await trail.list(OPERATOR)).items.map(({ action }) => action)).to.deep.equal(['signed-out']);
  });

  it('shows a developer what concerns them, and the operator all, by parts', async () => {
    const { trail } = open();
    for (let n = 0; n < 5; n += 1) {
      await trail.recordBy(ada, 'signed-in', ADA);
      await trail.recordBy(bob, 'signed-in', bob.developerId);
    }
    expect((await trail.list(bob, { developer: 'ada' })).items.map(({ developerId }) => developerId)).to.deep.equal(
      Array(5).fill('bob'),
    );
    expect((await trail.list(OPERATOR, { developer: 'ada' })).items).to.have.length(5);
    const first = await trail.list(ada, { limit: 3 });
    const second = await trail.list(ada, { limit: 3, before: first.next });
    expect([first.items.length, second.items.length, second.next]).to.deep.equal([3, 2, undefined]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id))).to.have.property('size', 5);
    expect(await trail.list(ada, { before: 'unknown' })).to.deep.equal({ items: [] });
  });

  it('refuses a limit out of range, and a developer that can be none', async () => {
    const { trail } = open();
    expect(await brokenBy(() => trail.list(ada, { limit: 101 }))).to.deep.equal(['limit: out-of-range']);
    for (const developer of ['', 'No Slug'])
      expect(await brokenBy(() => trail.list(OPERATOR, { developer }))).to.deep.equal(['developer: invalid-format']);
  });
});
