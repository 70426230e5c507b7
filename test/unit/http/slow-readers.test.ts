import { expect } from 'chai';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { cutOffSlowReader } from '../../../adapters/edge/middleware/slow-readers.js';

const KIBIBYTE = 1024;

describe('A response that waits for its client', () => {
  let socket: { bytesWritten: number; writableLength: number; destroyed: boolean; resetAndDestroy: () => void };
  let endWatch: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    socket = { bytesWritten: 1_000_000, writableLength: 1_000_000, destroyed: false, resetAndDestroy: () => undefined };
    socket.resetAndDestroy = () => (socket.destroyed = true);
    endWatch = cutOffSlowReader(socket as unknown as Socket);
  });
  afterEach(() => mock.timers.reset());

  /** Lets 5 seconds pass in which so many bytes leave. */
  function pass(bytes: number): void {
    socket.writableLength -= bytes;
    mock.timers.tick(5_000);
  }

  it('is cut off after 15 seconds in which less than 1 KiB a second has left', () => {
    for (let n = 0; n < 2; n += 1) pass(5 * KIBIBYTE - 1);
    expect(socket.destroyed).to.equal(false);
    pass(5 * KIBIBYTE - 1);
    expect(socket.destroyed).to.equal(true);
  });

  it('goes on while 1 KiB a second leaves, and after pauses of less than 15 seconds', () => {
    for (const bytes of [5 * KIBIBYTE, 5 * KIBIBYTE, 0, 0, 5 * KIBIBYTE, 0, 0, 5 * KIBIBYTE]) pass(bytes);
    expect(socket.destroyed).to.equal(false);
  });

  it('goes on while nothing is ready for the client', () => {
    socket.writableLength = 0;
    for (let n = 0; n < 10; n += 1) pass(0);
    expect(socket.destroyed).to.equal(false);
  });

  it('is no longer watched when it is closed', () => {
    endWatch();
    for (let n = 0; n < 10; n += 1) pass(0);
    expect(socket.destroyed).to.equal(false);
  });
});
