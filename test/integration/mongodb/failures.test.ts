import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { runInNewContext } from 'node:vm';
import { fateOf, isDuplicate, isWorthRepeating, unavailable } from '../../../adapters/mongodb/failures.js';

describe('What an error says of an operation in MongoDB', () => {
  for (const code of ['ECONNRESET', 'EPIPE'])
    it(`is that it may have been done, when its socket failed with ${code}`, () => {
      expect(fateOf(Object.assign(new Error(`write ${code}`), { code, syscall: 'write' }))).to.equal('unknown');
    });

  it('is that it may have been done, when the network failed', () => {
    expect(fateOf(new MongoNetworkError('cut'))).to.equal('unknown');
  });

  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'ENOTFOUND', 'ECONNREFUSED'])
    it(`is that it was not done, when the names of the servers could not be looked up: ${code}`, () => {
      expect(
        fateOf(Object.assign(new Error(`querySrv ${code} _mongodb._tcp.db.example`), { code, syscall: 'querySrv' })),
      ).to.equal('not-done');
    });

  it('is that it may have been done, when the monitor of the server has cut its connection', () => {
    expect(fateOf(Object.assign(new Error('interrupted'), { name: 'PoolClearedOnNetworkError' }))).to.equal('unknown');
  });

  for (const [code, name] of [
    [239, 'SnapshotTooOld'],
    [246, 'SnapshotUnavailable'],
  ] as const)
    it(`is that it was not done, and that a read may succeed at another moment: ${name}`, () => {
      const error = Object.assign(new Error('No committed OpTime'), { name: 'MongoServerError', code });
      expect([fateOf(error), isWorthRepeating(error)]).to.deep.equal(['not-done', true]);
    });

  it('is the same, when it was made in another realm, as under Jest', () => {
    const error: unknown = runInNewContext(
      'new Error("E11000 duplicate key error collection: db.audit index: _id_ dup key")',
    );
    expect(isDuplicate(Object.assign(error as Error, { name: 'MongoServerError', code: 11_000 }))).to.equal(true);
    const cut = runInNewContext('Object.assign(new Error("cut"), { name: "MongoNetworkError" })') as unknown;
    expect(fateOf(cut)).to.equal('unknown');
  });

  for (const [code, message] of [
    [14_031, 'out of disk space'],
    [8, '28: No space left on device'],
    [8_000, 'you are over your space quota, using 513 MB of 512 MB'],
    [371, 'User writes blocked, reason: DiskUseThresholdExceeded'],
  ] as const)
    it(`is that it was not done for lack of room: ${message}`, () => {
      const error = Object.assign(new Error(message), { name: 'MongoServerError', code });
      expect(fateOf(error)).to.equal('not-done');
      expect(unavailable(error)).to.include({ kind: 'unavailable', code: 'store-full' });
      expect(unavailable(error).message).to.equal(`the MongoDB store has no room left: ${message}`);
    });

  it('is that it was not done, when an administrator has blocked writes', () => {
    const error = Object.assign(new Error('User writes blocked'), { name: 'MongoServerError', code: 371 });
    expect([fateOf(error), unavailable(error).code]).to.deep.equal(['not-done', 'store-read-only']);
  });

  it('is nothing, when it is a defect', () => {
    expect(fateOf(new TypeError('x is not a function'))).to.equal(undefined);
    for (const value of [undefined, null, 'x', 1, {}]) expect(fateOf(value)).to.equal(undefined);
    expect(fateOf(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).to.equal(undefined);
  });
});
