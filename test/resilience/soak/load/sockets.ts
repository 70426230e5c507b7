import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** This module, for `elsewhere`. */
export const SOCKETS = import.meta.url;

const TOGETHER = 50;

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/**
 * Opens so many and has them stand there until it is told to leave. One request first: a connection that never asks is
 * soon closed.
 */
export async function idleSockets({ port, count }: { port: number; count: number }): Promise<number> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - sockets.length) }, () => opened(port)),
    );
    for (const socket of some) socket.resume().write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    sockets.push(...some);
  }
  await once(process, 'message');
  return sockets.filter(({ readyState }) => readyState === 'open').length;
}

export interface Slow {
  readonly port: number;
  readonly count: number;
  /** What is sent at once; then follows a byte a second. */
  readonly head: string;
  readonly atMostSeconds: number;
}

/** How long each was let go on, in milliseconds; those that still are count as infinite. */
export async function slowSockets({
  port,
  count,
  head,
  atMostSeconds,
}: Slow): Promise<{ longest: number; open: number; answered: number }> {
  const times: number[] = [];
  let answered = 0;
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - sockets.length) }, () => opened(port)),
    );
    for (const socket of some) {
      const began = performance.now();
      socket.once('data', () => (answered += 1));
      socket.once('close', () => times.push(performance.now() - began));
      socket.write(head);
    }
    sockets.push(...some);
  }
  for (let second = 0; second < atMostSeconds && times.length < count; second += 1) {
    for (const socket of sockets) if (socket.writable) socket.write('a');
    await setTimeout(1_000);
  }
  for (const socket of sockets) socket.destroy();
  return { longest: Math.max(0, ...times), open: count - times.length, answered };
}

/** Begins uploads and goes away amid them: bodies of a known length, in chunks, compressed, and headers too. */
export async function abortedUploads({
  port,
  key,
  count,
}: {
  port: number;
  key: string;
  count: number;
}): Promise<number> {
  const json = JSON.stringify({
    title: 'Aborted',
    description: 'x'.repeat(8_000),
    price: 1,
    category_id: 'uncategorized',
  });
  const head =
    'POST /api/automations HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const gzip = gzipSync(json);
  const whole = [
    Buffer.from(`${head}Content-Length: ${json.length}\r\n\r\n${json}`),
    Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`),
    Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${gzip.length}\r\n\r\n`), gzip]),
    Buffer.from(head),
  ];
  for (let done = 0; done < count; done += TOGETHER)
    await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - done) }, async (_, n) => {
        const bytes = whole[n % whole.length] as Buffer;
        const socket = await opened(port);
        socket.write(bytes.subarray(0, 1 + Math.floor(Math.random() * (bytes.length - 2))));
        await setTimeout(Math.random() * 20);
        socket.resetAndDestroy();
      }),
    );
  return count;
}

interface SlowReaders {
  readonly port: number;
  readonly count: number;
  readonly request: string;
  /** What each connection reads once a second. */
  readonly bytesPerSecond: number;
  readonly seconds: number;
}

/** Asks on many connections, and reads the responses slowly. Returns how many connections the server has closed. */
export async function slowReaders({ port, count, request, bytesPerSecond, seconds }: SlowReaders): Promise<number> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - sockets.length) }, () => opened(port)),
    );
    for (const socket of some) socket.write(request);
    sockets.push(...some);
  }
  for (let second = 0; second < seconds; second += 1) {
    await setTimeout(1_000);
    for (const socket of sockets) socket.read(bytesPerSecond);
  }
  const closed = sockets.filter(({ readyState }) => readyState === 'closed').length;
  for (const socket of sockets) socket.destroy();
  return closed;
}
