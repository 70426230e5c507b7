import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UNKNOWN_ROUTE } from '../context.js';
import type { OnRequestCompleted } from '../host.js';
import { MAX_TARGET_BYTES } from '../middleware/protocol-checks.js';
import { HSTS, isEncrypted, SAFE_HEADERS } from '../middleware/security-headers.js';
import { Problem, problemText } from '../problems/problem.js';

const LINGER_MS = 1_000;

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

interface Reporting {
  readonly onRequestCompleted: OnRequestCompleted;
  readonly mountPath: string;
}

/**
 * Reports what no application sees as a problem document (RFC 9457): requests that Node's parser refuses or that time
 * out, and CONNECT.
 */
export function reportParserErrors(server: Server, reporting: Reporting): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => latest.set(socket, response));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const before = latest.get(socket);
    const problem = problemOf(error);
    const refuse = () => writeProblem(socket, problem, reporting);
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
    else if (before === undefined || before.writableFinished) refuse();
    else if (before.req.complete) before.once('finish', refuse);
    else if (before.headersSent) socket.destroy();
    else respond(before, problem, reporting.mountPath);
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node takes its own listeners off this connection. Without one, a reset would end the process.
    socket.on('error', () => socket.destroy());
    const options = { headers: { Allow: 'GET, HEAD, OPTIONS, POST' } };
    writeProblem(socket, new Problem('method-not-allowed', 'This server is not a proxy.', options), reporting);
  });
}

/** Answers a request whose body did not arrive; whatever waits for the body finds the response sent. */
function respond(response: ServerResponse, problem: Problem, mountPath: string): void {
  const requestId = String(response.getHeader('X-Request-Id') ?? randomUUID());
  const text = problemText(problem, mountPath, requestId);
  response.writeHead(problem.status, headersOf(problem, requestId, text, response.req.socket));
  response.end(text);
}

/**
 * Writes to a connection on which no response was begun, and closes it. A client that has left hears nothing and is not
 * counted.
 */
function writeProblem(socket: Socket, problem: Problem, { onRequestCompleted, mountPath }: Reporting): void {
  if (!socket.writable) return;
  const { slug, status } = problem;
  const requestId = randomUUID();
  const text = problemText(problem, mountPath, requestId);
  const headers = { ...headersOf(problem, requestId, text, socket), Date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'));
  closeAfterReading(socket);
  const request = { requestId, method: '', route: UNKNOWN_ROUTE, status, durationMs: 0, aborted: false };
  onRequestCompleted({ ...request, problem: slug });
}

/**
 * Closes so that the client reads the response: bytes left unread would reset the connection (RFC 9112, section 9.6).
 */
function closeAfterReading(socket: Socket): void {
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

function headersOf({ options }: Problem, requestId: string, text: string, socket: Socket): Record<string, string> {
  return {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...SAFE_HEADERS,
    ...(isEncrypted({ socket }) && HSTS),
    Vary: 'Authorization',
    'X-Request-Id': requestId,
    Connection: 'close',
    ...options.headers,
  };
}

function problemOf({ code, rawPacket }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return rawPacket && hasLongTarget(rawPacket)
        ? new Problem('uri-too-long', 'The request target must be at most 8 KiB.')
        : new Problem('header-too-large', 'The headers must be at most 16 KiB in total.');
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

function hasLongTarget(packet: Buffer): boolean {
  const lineEnd = packet.indexOf('\r\n');
  return lineEnd < 0 || lineEnd > MAX_TARGET_BYTES;
}
