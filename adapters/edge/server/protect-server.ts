import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { safeCall } from '../../../application/safe-call.js';
import { requireOptions, requireParts } from '../../../domain/options.js';
import type { OnRequestCompleted } from '../host.js';
import { reportParserErrors } from './parser-errors.js';

/**
 * For `http.createServer`, which takes these only there: room for the checks of the application, and timeouts checked
 * each second.
 */
export const SERVER_OPTIONS = {
  maxHeaderSize: 32 * 1024,
  requireHostHeader: false,
  connectionsCheckingInterval: 1_000,
};

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Outlasts the 60 s of the usual load balancer, which must be the one to close. */
const KEEP_ALIVE_SECONDS = 65;
/** A client that reads nothing of a response is cut off after one or two of these. */
const SILENCE_TIMEOUT_MS = 30_000;

const LAST_REQUESTS_MS = 4_000;
const CLOSE_IDLE_INTERVAL_MS = 50;

/** The options of `protectServer`. */
export interface ProtectionOptions {
  /** Called with every request that reached no application; a failure of it is ignored. Default: none. */
  readonly onRequestCompleted?: OnRequestCompleted | undefined;
  /** Goes before the types of problems: the path of the public URL, then the mount path. */
  readonly mountPath?: string | undefined;
  /** How long an idle connection stays open; 65 by default. Let it be longer than the balancer's own time. */
  readonly keepAliveSeconds?: number | undefined;
}

/** A server with limits. */
export interface ProtectedServer {
  /**
   * Stops the server without an error at any client: for some seconds it responds and asks each client to close its
   * connection; then it accepts no connection, waits up to 4 s for the requests in flight, and cuts what is left.
   */
  drain(seconds: number): Promise<void>;
}

/**
 * Gives a server what only a server can have: time limits, and problem documents for requests that reach no
 * application, each of which is reported. Call it before the server listens; create the server with `SERVER_OPTIONS`.
 * @throws RangeError for `keepAliveSeconds` that are not a finite number above 0; TypeError for an unknown option.
 */
export function protectServer(server: Server, options: ProtectionOptions = {}): ProtectedServer {
  requireOptions('protectServer', options, { onRequestCompleted: true, mountPath: true, keepAliveSeconds: true });
  requireParts('protectServer', 'a server of node:http', server, ['on', 'prependListener']);
  const { mountPath = '', keepAliveSeconds = KEEP_ALIVE_SECONDS } = options;
  if (!Number.isFinite(keepAliveSeconds) || keepAliveSeconds <= 0)
    throw new RangeError('keepAliveSeconds must be a finite number above 0');
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = keepAliveSeconds * 1_000;
  server.timeout = SILENCE_TIMEOUT_MS;
  server.maxRequestsPerSocket = 0;
  server.maxHeadersCount = 0;
  const onRequestCompleted: OnRequestCompleted = (request) => safeCall(() => options.onRequestCompleted?.(request));
  reportParserErrors(server, { mountPath, onRequestCompleted });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueOnceRead(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  const newest = newestResponses(server);
  return { drain: (seconds) => drain(server, newest, seconds) };
}

/**
 * A client that asks first is told to continue when the body is wanted; most refusals never want it. Who wants it
 * resumes the request, as a pipe does, or listens for `readable`, as `for await` does.
 */
function continueOnceRead(request: IncomingMessage, response: ServerResponse): void {
  let isWanted = false;
  const onWanted = () => {
    if (!isWanted && !response.headersSent) response.writeContinue();
    isWanted = true;
  };
  request.once('resume', onWanted);
  request.on('newListener', (event) => {
    if (event === 'readable') onWanted();
  });
}

type Responses = ReadonlyMap<Socket, ServerResponse | undefined>;

/**
 * Returns the newest response of each connection while it is open. A set that each response enters and leaves gets
 * a new table every hundred requests, and the garbage collector keeps what was in the old ones: a tenth of all that is
 * allocated, 11 ms for a scavenge in place of 4, and 20,400 lists a second in place of 26,000.
 */
function newestResponses(server: Server): Responses {
  const newest = new Map<Socket, ServerResponse | undefined>();
  server.prependListener('request', ({ socket }, response) => {
    if (!newest.has(socket)) socket.once('close', () => newest.delete(socket));
    newest.set(socket, response);
    response.once('close', () => {
      if (newest.get(socket) === response) newest.set(socket, undefined);
    });
  });
  return newest;
}

async function drain(server: Server, newest: Responses, seconds: number): Promise<void> {
  const askToClose = (response: ServerResponse) => response.headersSent || response.setHeader('Connection', 'close');
  for (const response of newest.values()) if (response !== undefined) askToClose(response);
  server.prependListener('request', (_request, response) => askToClose(response));
  await setTimeout(seconds * 1000);
  const closed = stopListening(server);
  const closeIdle = setInterval(() => {
    if (!isResponding(newest)) server.closeIdleConnections();
  }, CLOSE_IDLE_INTERVAL_MS);
  await Promise.race([closed, setTimeout(LAST_REQUESTS_MS, undefined, { ref: false })]);
  clearInterval(closeIdle);
  // Ends the timer of the server's time limits, too.
  server.close();
  server.closeAllConnections();
}

/**
 * Stops listening as every `net.Server` does, and resolves when all connections have ended. `close` of an HTTP server
 * also ends idle connections, and Node takes one for idle whose response is written but not sent yet.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}

function isResponding(newest: Responses): boolean {
  return [...newest.values()].some((response) => response !== undefined);
}
