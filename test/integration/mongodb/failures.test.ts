import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { fateOf, isWorthRepeating } from '../../../adapters/mongodb/failures.js';

describe('What an error says of an operation in MongoDB', () => {
  for (const code of ['ECONNRESET', 'EPIPE'])
    it(`is that it may have been done, when its socket failed with ${code}`, () => {
      expect(fateOf(Object.assign(new Error(`write ${code}`), { code, syscall: 'write' }))).to.equal('unknown');
    });

  it('is that it may have been done, when the network failed', () => {
    expect(fateOf(new MongoNetworkError('cut'))).to.equal('unknown');
  });

  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'ENOTFOUND', 'ECONNREFUSED'])
    it(`is that it was never sent, when the names of the servers could not be looked up: ${code}`, () => {
      expect(
        fateOf(Object.assign(new Error(`querySrv ${code} _mongodb._tcp.db.example`), { code, syscall: 'querySrv' })),
      ).to.equal('never-sent');
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
      expect([fateOf(error), isWorthRepeating(error)]).to.deep.equal(['never-sent', true]);
    });

  it('is nothing, when it is a defect', () => {
    expect(fateOf(new TypeError('x is not a function'))).to.equal(undefined);
    expect(fateOf(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).to.equal(undefined);
  });
});
