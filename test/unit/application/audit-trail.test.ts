import { expect } from 'chai';
import { InMemoryAuditLog } from '../../../adapters/in-memory/audit-log.js';
import { AuditTrail, type HistoryRequest } from '../../../application/audit-trail.js';
import { OPERATOR, parseDeveloperId, type Actor } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { automationIdOf, numbers } from '../../contracts/offers.js';
import { brokenBy } from '../domain/failure.js';
import { ada, bob, countingIds, NOON, settled, StoppedClock } from './people.js';
import { signedIn } from '../../support/signed-in.js';

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

describe('entries that are stored with automations', () => {
  it('are made for the change, and not written to the log', async () => {
    const { trail, log } = open();
    const changed = ['title', 'price'] as const;
    const by = { ...ada, origin: { address: '192.0.2.1' } };
    const event = { action: 'automation-revised', developerId: ADA, subject: automationIdOf(1), changed } as const;
    expect(trail.entryOf(by, event)).to.deep.equal({
      id: '01900000-0000-7000-8000-000000000001',
      at: new Date(NOON),
      actor: 'developer',
      ...event,
      address: '192.0.2.1',
    });
    expect(trail.entryOf(OPERATOR, event)).to.include({ actor: 'operator' }).and.not.to.have.property('address');
    expect(log.groups).to.deep.equal([]);
  });

  it('are made for many like changes: as many ids, in ascending order, and one rest', () => {
    const { trail, log } = open();
    const event = { action: 'automation-withdrawn', developerId: ADA } as const;
    const by = { ...OPERATOR, operatorId: parseDeveloperId('bob'), origin: { address: '192.0.2.1' } };
    expect(trail.entriesOf(by, event, 3)).to.deep.equal({
      entryIds: [1, 2, 3].map((n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`),
      auditEntry: { at: new Date(NOON), actor: 'operator', operatorId: 'bob', ...event, address: '192.0.2.1' },
    });
    expect(log.groups).to.deep.equal([]);
  });
});

describe('the audit trail', () => {
  it('fails nobody when the one that is told of a failure fails too, at once or later', async () => {
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

  it('settles when everything that was recorded until then is stored', async () => {
    const { trail, log } = open();
    let go = () => {};
    log.opened = new Promise((resolve) => (go = resolve));
    for (let n = 0; n < 10; n += 1) void trail.recordBy(ada, 'signed-in', ADA);
    let isSettled = false;
    const all = trail.settled().then(() => (isSettled = true));
    await settled();
    expect(isSettled).to.equal(false);
    go();
    await all;
    expect((await trail.list(OPERATOR)).items).to.have.length(10);
  });

  it('has its entries in the order in which they were recorded, also within a millisecond', async () => {
    const trail = new AuditTrail(new InMemoryAuditLog());
    const subjects = numbers(100).map(automationIdOf);
    for (const subject of subjects) await trail.recordBy(ada, 'signed-in', ADA, { subject });
    const { items } = await trail.list(OPERATOR, { limit: 100 });
    expect(items.map(({ subject }) => subject)).to.deep.equal(subjects.toReversed());
    for (const { id, at } of items) {
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).to.be.closeTo(at.getTime(), 10_000);
    }
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
    expect(
      (await trail.list(signedIn(bob), { developer: 'ada' })).items.map(({ developerId }) => developerId),
    ).to.deep.equal(Array(5).fill('bob'));
    expect((await trail.list(OPERATOR, { developer: 'ada' })).items).to.have.length(5);
    const first = await trail.list(signedIn(ada), { limit: 3 });
    const second = await trail.list(signedIn(ada), { limit: 3, before: first.next });
    expect([first.items.length, second.items.length, second.next]).to.deep.equal([3, 2, undefined]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id))).to.have.property('size', 5);
    for (const before of ['', 'unknown', 'a\0'])
      expect(await trail.list(signedIn(ada), { before })).to.deep.equal({ items: [] });
  });

  it('gives what came after an entry, oldest first: the operator all, a developer their own', async () => {
    const { trail } = open();
    for (const by of [ada, bob, ada, bob, ada]) await trail.recordBy(by, 'signed-in', by.developerId);
    const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const listed = async (by: Actor, request: HistoryRequest) => {
      const { items, next } = await trail.list(by, request);
      return [items.map(({ id }) => Number(id.slice(-12))), next];
    };
    expect(await listed(OPERATOR, { after: idOf(1), limit: 2 })).to.deep.equal([[2, 3], idOf(3)]);
    expect(await listed(OPERATOR, { after: idOf(3), limit: 2 })).to.deep.equal([[4, 5], undefined]);
    expect(await listed(OPERATOR, { after: idOf(5) })).to.deep.equal([[], undefined]);
    expect(await listed(OPERATOR, { after: idOf(0), developer: 'bob' })).to.deep.equal([[2, 4], undefined]);
    expect(await listed(OPERATOR, { after: idOf(1), before: idOf(4) })).to.deep.equal([[2, 3], undefined]);
    expect(await listed(signedIn(ada), { after: idOf(1), developer: 'bob' })).to.deep.equal([[3, 5], undefined]);
  });

  it('refuses what no entry can have as its id, so that a reader does not wait for ever', async () => {
    const { trail } = open();
    for (const after of ['', 'unknown', '01900000-0000-7000-8000-00000000000G'])
      expect(await brokenBy(() => trail.list(OPERATOR, { after }))).to.deep.equal(['after: invalid-format']);
  });

  it("tells a developer the address of their own acts and failed sign-ins, not an operator's", async () => {
    const { trail } = open();
    const olga = {
      isOperator: true,
      operatorId: bob.developerId,
      origin: { address: '192.0.2.9', requestId: 'r-9' },
    } as const;
    await trail.recordBy(olga, 'developer-suspended', ADA);
    await trail.recordBy(olga, 'key-revoked', bob.developerId);
    await trail.recordBy({ ...ada, origin: { address: '192.0.2.1', requestId: 'r-1' } }, 'signed-out', ADA);
    const stranger = { actor: 'anonymous', action: 'sign-in-failed', developerId: ADA } as const;
    await trail.record(stranger, { address: '192.0.2.2', requestId: 'r-2' });
    const seenBy = async (by: Actor) =>
      (await trail.list(by)).items.map(({ action, operatorId, address, requestId }) =>
        [action, operatorId, address, requestId].filter(Boolean).join(' '),
      );
    const own = ['sign-in-failed 192.0.2.2 r-2', 'signed-out 192.0.2.1 r-1'];
    expect(await seenBy(signedIn(ada))).to.deep.equal([...own, 'developer-suspended']);
    expect(await seenBy(signedIn(bob))).to.deep.equal(['key-revoked bob 192.0.2.9 r-9']);
    expect(await seenBy(OPERATOR)).to.deep.equal([
      ...own,
      'key-revoked bob 192.0.2.9 r-9',
      'developer-suspended bob 192.0.2.9 r-9',
    ]);
  });

  it('refuses a limit out of range, and a developer that can be none', async () => {
    const { trail } = open();
    expect(await brokenBy(() => trail.list(signedIn(ada), { limit: 101 }))).to.deep.equal(['limit: out-of-range']);
    for (const developer of ['', 'No Slug'])
      expect(await brokenBy(() => trail.list(OPERATOR, { developer }))).to.deep.equal(['developer: invalid-format']);
  });
});
