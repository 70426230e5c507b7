import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from '../context.js';

/** A longer body is sent in parts: a connection holds one of them at a time, and each that leaves was read. */
const MAX_WHOLE_BYTES = 64 * 1024;
const PART_BYTES = 16 * 1024;

/** A client that takes less than 5 KiB in 5 s, three times in a row, is cut off. */
const CHECK_READING_MS = 5_000;
const MIN_BYTES_PER_CHECK = 5 * 1024;
const MAX_SLOW_CHECKS = 3;

/**
 * Has a long body sent in parts, each when the one before it has left: a body as a whole would be copied for each
 * connection that uses TLS, and would not show whether the client reads.
 */
export function sendInParts(ctx: Context, bytes: number): void {
  const { body } = ctx;
  if (bytes <= MAX_WHOLE_BYTES || (typeof body !== 'string' && !Buffer.isBuffer(body))) return;
  ctx.body = Readable.from(partsOf(typeof body === 'string' ? Buffer.from(body) : body));
  ctx.length = bytes;
}

function* partsOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PART_BYTES) yield body.subarray(start, start + PART_BYTES);
}

/** Ends a connection and frees what the kernel keeps for it, where it can be reset: over TLS and pipes it is closed. */
export function cutOff(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
}

/**
 * Ends the connection of a client that reads too slowly; pipelined responses share it, and wait for each other. Returns
 * a function that ends the watch.
 */
export function cutOffSlowReader(socket: Socket): () => void {
  const taken = () => socket.bytesWritten - socket.writableLength;
  let before = taken();
  let slowChecks = 0;
  const timer = setInterval(() => {
    const isSlow = socket.writableLength > 0 && taken() - before < MIN_BYTES_PER_CHECK;
    slowChecks = isSlow ? slowChecks + 1 : 0;
    before = taken();
    if (slowChecks === MAX_SLOW_CHECKS) cutOff(socket);
  }, CHECK_READING_MS).unref();
  return () => clearInterval(timer);
}
