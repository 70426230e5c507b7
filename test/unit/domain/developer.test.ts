import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import { newAuditEntry, type AuditEntryId } from '../../../domain/audit.js';
import {
  canAccept,
  isActiveOperator,
  newInvitation,
  checkSignInName,
  signInKey,
  statusOf,
  type Developer,
} from '../../../domain/developer.js';
import { isDueForRenewal, isOpen, isTokenText, untilAfterUse } from '../../../domain/session.js';
import { checking } from './failure.js';

const HOUR = 60 * 60 * 1000;
const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds);
const ada: Developer = { id: parseDeveloperId('ada'), role: 'developer', addedAt: at(0) };

describe('a developer', () => {
  it('has no sign-in, or is invited, active or suspended', () => {
    expect(statusOf(ada)).to.equal('no-sign-in');
    expect(statusOf({ ...ada, invitation: newInvitation('hash', at(0)) })).to.equal('invited');
    expect(statusOf({ ...ada, activeSince: at(1) })).to.equal('active');
    expect(statusOf({ ...ada, activeSince: at(1), suspendedAt: at(2) })).to.equal('suspended');
    expect(statusOf({ ...ada, suspendedAt: at(2) })).to.equal('suspended');
  });

  it('can accept an invitation for 24 hours, unless suspended', () => {
    const invited = { ...ada, invitation: newInvitation('hash', at(0)) };
    expect([0, 24 * HOUR - 1, 24 * HOUR].map((time) => canAccept(invited, at(time)))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([canAccept(ada, at(0)), canAccept({ ...invited, suspendedAt: at(0) }, at(0))]).to.deep.equal([false, false]);
  });

  it('is an active operator after the first sign-in, until a suspension', () => {
    const operator = { ...ada, role: 'operator', activeSince: at(1) } as const;
    expect(isActiveOperator(operator)).to.equal(true);
    for (const other of [{ role: 'developer' }, { activeSince: undefined }, { suspendedAt: at(2) }])
      expect(isActiveOperator({ ...operator, ...other } as Developer)).to.equal(false);
  });

  it('has a sign-in name of 1 to 100 code points', () => {
    const read = (value: unknown) => checking((report) => checkSignInName(value, report));
    expect(read(' Ada ')).to.deep.equal({ value: 'Ada', broken: [] });
    expect(read('🙂'.repeat(100)).broken).to.deep.equal([]);
    for (const [value, code] of [
      ['', 'too-short'],
      ['🙂'.repeat(101), 'too-long'],
      ['a\nb', 'invalid-text'],
      [7, 'wrong-type'],
    ] as const)
      expect(read(value).broken.map((one) => one.code)).to.deep.equal([code]);
  });

  it('has one sign-in name in every case and normal form', () => {
    expect(new Set(['Zoë', 'ZOË', 'zoe\u0308', 'ZOE\u0308'].map(signInKey))).to.have.property('size', 1);
    expect(signInKey('Zoe')).not.to.equal(signInKey('Zoë'));
  });
});

describe('a session', () => {
  it('lasts for 7 days at most, however it is used', () => {
    const [createdAt, week] = [at(0), 7 * 24 * HOUR];
    expect(untilAfterUse({ createdAt }, at(week - HOUR))).to.deep.equal(at(week));
    const session = { hash: '', developerId: ada.id, createdAt, until: at(week + HOUR) };
    expect([week - 1, week].map((time) => isOpen(session, at(time)))).to.deep.equal([true, false]);
    expect(isDueForRenewal({ ...session, until: at(week) }, at(week - 1))).to.equal(false);
  });

  it('lasts for 12 hours without use, and is renewed at most once a minute', () => {
    const session = {
      hash: '',
      developerId: ada.id,
      createdAt: at(0),
      until: untilAfterUse({ createdAt: at(0) }, at(0)),
    };
    expect([12 * HOUR - 1, 12 * HOUR].map((time) => isOpen(session, at(time)))).to.deep.equal([true, false]);
    expect([59_999, 60_000].map((time) => isDueForRenewal(session, at(time)))).to.deep.equal([false, true]);
  });

  it('has a token of 32 characters of base64url', () => {
    const token = 'abcdefghijklmnopqrstuvwxyz012_-A';
    for (const [text, is] of [
      [token, true],
      [`${token}x`, false],
      [token.slice(1), false],
      [token.replace('_', '+'), false],
      [`${token}\n`, false],
      ['', false],
    ] as const)
      expect(isTokenText(text), text).to.equal(is);
  });
});

describe('an audit entry', () => {
  const entryFrom = (address: string, requestId: string) =>
    newAuditEntry(
      { actor: 'anonymous', action: 'sign-in-failed' },
      { address, requestId },
      { id: 'id' as AuditEntryId, at: at(0) },
    );

  it('has an address and a request id', () => {
    for (const address of ['127.0.0.1', '2001:db8::1', '::ffff:10.0.0.1'])
      expect(entryFrom(address, 'a-1')).to.deep.equal({
        id: 'id',
        at: at(0),
        actor: 'anonymous',
        action: 'sign-in-failed',
        address,
        requestId: 'a-1',
      });
  });

  it('leaves out what is neither', () => {
    for (const [address, requestId] of [
      ['password!', 'a b'],
      ['1'.repeat(46), 'x'.repeat(129)],
      ['', ''],
      ['<b>', 'é'],
    ] as const)
      expect(entryFrom(address, requestId)).to.have.all.keys('id', 'at', 'actor', 'action');
  });

  it('has the name of a file without its folder, and none that cannot be shown', () => {
    const fileOf = (file: string) =>
      newAuditEntry({ actor: 'operator', action: 'import-started', file }, {}, { id: 'id' as AuditEntryId, at: at(0) })
        .file;
    for (const path of ['a b.jsonl', '/srv/of ada/a b.jsonl', 'C:\\exports\\a b.jsonl', '../a b.jsonl'])
      expect(fileOf(path), path).to.equal('a b.jsonl');
    expect(fileOf('x'.repeat(255))).to.equal('x'.repeat(255));
    for (const path of ['x'.repeat(256), 'a\nb', 'a\u001b[2J', 'folder/', '', 'half \ud800'])
      expect(fileOf(path), JSON.stringify(path)).to.equal(undefined);
  });
});
