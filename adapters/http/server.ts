import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { OnAnswer } from './exchange.js';
import { inSlices } from './in-slices.js';
import { Pipelines } from './pipelines.js';
import { PROBLEMS, type Problem } from './problems.js';
import { answerOnSocket, lingeringClose, problemOfParser } from './raw-socket.js';
import { nameWanted } from './request-id.js';
import { createTlsServer, type Tls } from './tls-server.js';

/** Above the limits of `wire.ts`, so that those answer and not the parser. */
const PARSER_LIMIT = 32 * 1024;

/** In milliseconds. Keep-alive outlasts the 60 s of the usual balancer, which must be the one to close. */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 };

/** In milliseconds: who reads nothing of an answer is cut off when this has passed for the second time at most. */
const LONGEST_SILENCE = 30_000;

const OPTIONS = { maxHeaderSize: PARSER_LIMIT, requireHostHeader: false, ...TIMEOUTS };

/** A client may end its side once all is sent, and is answered all the same (RFC 9293, section 3.6). Node has this switch, and no type for it. */
const ANSWERS_AFTER_THE_END = { httpAllowHalfOpen: true };

/** What the server emits when it is soon to close: from then on every answer asks its client to close the connection. */
export const ENDING = 'ending';

/** Node's HTTP server, which speaks problem documents (RFC 9457) also where no request reaches the handler, and tells `onAnswer` of those. With a certificate it speaks TLS 1.2 and up. */
export function createHttpServer(handler: (request: IncomingMessage, response: ServerResponse) => unknown, tls?: Tls, onAnswer: OnAnswer = () => undefined): Server {
  const pipelines = new Pipelines();
  const misframed = new WeakSet<Socket>();
  let isEnding = false;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.socket.writableEnded || misframed.has(request.socket)) return;
    pipelines.add(request.socket, response);
    if (isMisframed(request)) misframed.add(request.socket);
    if (isEnding || misframed.has(request.socket)) response.shouldKeepAlive = false;
    handler(request, response);
  };
  const server = tls ? createTlsServer(OPTIONS, tls, listener, onAnswer) : createServer(OPTIONS, listener);
  server.timeout = LONGEST_SILENCE;
  server.maxRequestsPerSocket = 0;
  server.maxHeadersCount = 0;
  Object.assign(server, ANSWERS_AFTER_THE_END);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.destroySoon = () => lingeringClose(socket);
    socket.once('close', () => pipelines.close(socket));
  });
  server.once(ENDING, () => {
    isEnding = true;
    for (const response of pipelines.latest()) response.shouldKeepAlive = false;
  });
  answerParserErrors(server, pipelines, onAnswer);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueOnceRead(request, response);
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    listener(request, responseOn(socket, request));
  });
  return server;
}

/** Where its body ends cannot be told, so that nothing behind it is a request; `wire.ts` refuses it. */
function isMisframed({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && coding.toLowerCase() !== 'chunked';
}

/** A client that asks first is not told to go on until somebody wants the body; most refusals never do. */
function continueOnceRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
}

/** Node hands over the bare socket of a CONNECT; it is refused like any other method that nobody takes. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => lingeringClose(socket));
  return response;
}

function answerParserErrors(server: Server, pipelines: Pipelines, onAnswer: OnAnswer): void {
  const later = inSlices();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = () => answerParserError(error, socket, pipelines.latestOf(socket), onAnswer);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') later(answer);
    else answer();
  });
}

/** The answer must not overtake, nor be taken for, that of a request before it on the same connection. Who has said nothing, as in a handshake that fails, has asked for none. */
function answerParserError(error: NodeJS.ErrnoException, socket: Socket, before: ServerResponse | undefined, onAnswer: OnAnswer): void {
  const refuse = () => {
    if (socket.writable) onAnswer(answerOnSocket(socket, problemOfParser(error)));
  };
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
  else if (before === undefined || before.writableFinished) refuse();
  else if (before.req.complete) before.once('finish', refuse);
  else if (before.headersSent) socket.destroy();
  else answerInstead(before, problemOfParser(error));
}

/** The response, which is never used, says what was answered to those who ask it when it is over. */
function answerInstead(response: ServerResponse, problem: Problem): void {
  response.statusCode = PROBLEMS[problem.slug].status;
  answerOnSocket(response.req.socket, problem, nameWanted(response.req));
}
