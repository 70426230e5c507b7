import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Answered } from './exchange.js';
import { Problem, problemBody, PROBLEMS } from './problems.js';
import { safeHeaders } from './safe-headers.js';
import { LONGEST_TARGET } from './wire.js';

/** In milliseconds. */
const LINGER = 1_000;

/** Writes a problem where there is no response object to write it with, and closes. Answers what is to be told of it. */
export function answerOnSocket(socket: Socket, problem: Problem, requestId: string = randomUUID()): Answered {
  const { status } = PROBLEMS[problem.slug];
  const body = problemBody(problem, '', requestId);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(safeHeaders(requestId)).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  lingeringClose(socket);
  return { requestId, method: '', route: '', status, duration: 0, aborted: false };
}

/** Closes so that the client reads the answer: a socket closed with bytes unread resets the connection, answer and all (RFC 9112, section 9.6). */
export function lingeringClose(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
}

export function problemOfParser(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return error.rawPacket && targetIsLong(error.rawPacket)
        ? new Problem('uri-too-long', 'The request target must be at most 8 KiB.')
        : new Problem('header-too-large', 'The headers must be at most 16 KiB in all.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload-too-large', 'The chunk extensions are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The headers or the body took too long to arrive.');
    case 'HPE_INVALID_METHOD':
      return new Problem('malformed-request', 'The request must begin with a method of HTTP, in capitals.');
    default:
      return new Problem('malformed-request', 'The request is not well-formed HTTP/1.1.');
  }
}

function targetIsLong(packet: Buffer): boolean {
  const lineEnd = packet.indexOf('\r\n');
  return lineEnd < 0 || lineEnd > LONGEST_TARGET;
}
