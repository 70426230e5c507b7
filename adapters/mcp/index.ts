/**
 * The marketplace for agents, by the Model Context Protocol (2026-07-28, and the revisions of 2025), over HTTP and over
 * standard input and output.
 * @module automation-marketplace-mcp
 */
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { UseCases } from '../../application/core.js';
import { requireScope } from '../../domain/access.js';
import { requireOptions } from '../../domain/options.js';
import { checkBodyHeaders, readJsonWithFile } from '../api/body.js';
import { requireJsonAccepted } from '../api/endpoints.js';
import type { Context, Handler, HttpMiddleware, HttpSettings } from '../edge/context.js';
import type { HttpOptions, MountedApp } from '../edge/host.js';
import { bearerOf } from '../edge/middleware/authentication.js';
import { MCP_PATH, pathOf, queryOf } from '../edge/middleware/base-path.js';
import { methodNotAllowed } from '../edge/middleware/methods.js';
import { OwnTurns } from '../edge/middleware/event-loop.js';
import { isLarge, LargeBodies, MAX_CREATE_BYTES } from '../edge/middleware/large-bodies.js';
import { Overload } from '../edge/middleware/overload.js';
import { notFound, problemToTell } from '../edge/middleware/problem-documents.js';
import { otherHostIn } from '../edge/middleware/own-host.js';
import { newProgramApp } from '../edge/middleware/program-app.js';
import { countRequest } from '../edge/middleware/rate-limits.js';
import { checkedOptions, HTTP_OPTIONS } from '../api/options.js';
import { fileAddress } from '../api/representations.js';
import { Problem, problemText } from '../edge/problems/problem.js';
import { MAX_MISTAKES, newAgentServer } from './agent-server.js';
import { calledBy, parseMessage, refusalOf } from './messages.js';
import type { Tool } from './tool.js';
import { agentTools, CREATE_TOOL } from './tools.js';

export { serveAgentOverStdio } from './stdio.js';
export type { StdioAgent } from './stdio.js';

/** The options of `createHttpApp`, without the documents of the API. */
export type McpOptions = Omit<HttpOptions, 'documents'>;

/** What the SDK requires of clients of 2025; they get JSON. */
const ACCEPTED = 'application/json, text/event-stream';
const { documents: _documents, ...MCP_OPTIONS } = HTTP_OPTIONS;
const CREATE_SCOPE = 'automations:write';

/**
 * Returns the tools for agents, at `/mcp`, as a Koa application. Each request stands alone, and has the same keys,
 * scopes, limits and history as the API.
 * @throws TypeError when the marketplace or an option is not as it must be.
 */
export function createMcpApp(
  marketplace: UseCases['marketplace'],
  options: McpOptions,
  overload = new Overload(),
): MountedApp {
  requireOptions('createMcpApp', options, MCP_OPTIONS);
  const settings = checkedOptions(marketplace, options);
  const route = [ownPath, ownOrigin(settings.publicUrl), ownHost(settings)];
  return newProgramApp(settings, { firstScope: 'automations:read', route, respond: [answer(settings)] }, overload);
}

const ownPath: HttpMiddleware = (ctx, next) => {
  const target = ctx.req.url ?? '';
  const path = pathOf(target);
  if (path !== MCP_PATH && path !== `${MCP_PATH}/`) notFound();
  ctx.state.route = MCP_PATH;
  ctx.state.query = queryOf(target);
  return next();
};

/**
 * Refuses a page of another site, also one whose name was rebound to this address (MCP, Streamable HTTP, security).
 * Without a public URL, pages of this machine alone are allowed.
 */
function ownOrigin(publicUrl: string): HttpMiddleware {
  const own = publicUrl === '' ? undefined : new URL(publicUrl).origin;
  const isAllowed = (origin: string | undefined) =>
    own === undefined ? validateOriginHeader(origin, localhostAllowedOrigins()).ok : (origin ?? own) === own;
  return function refuseOtherOrigin(ctx, next) {
    if (!isAllowed(ctx.req.headers.origin))
      throw new Problem('cross-site-request', 'The request was sent from another site.');
    return next();
  };
}

/**
 * Tells an agent that would begin to sign in at another host than the one that the metadata of the tools name: their
 * resource would not be the address that it has, so it would stop.
 */
function ownHost({ publicUrl, resourceMetadata, verifier }: HttpSettings): HttpMiddleware {
  return function tellOtherHost(ctx, next) {
    const metadata = resourceMetadata();
    if (publicUrl !== '' || metadata === '' || verifier === undefined || bearerOf(ctx) !== undefined) return next();
    const reason = otherHostIn(ctx.req, new URL(metadata).origin);
    if (reason === undefined) return next();
    const detail = `Send the header "Authorization: Bearer <key>". Agents cannot sign in here: ${reason}.`;
    throw new Problem('missing-credentials', detail, { reason });
  };
}

function answer(settings: HttpSettings): Handler {
  const tools = agentTools({ ...settings, addressOf: fileAddress(settings) });
  const count = countRequest(settings.quotas);
  const largeBodies = LargeBodies.of(settings.quotas);
  const turns = new OwnTurns();
  const answerMessage = async (ctx: Context) => {
    const body = await readJsonWithFile(ctx, fileIn);
    await turns.next();
    const message = parseMessage(body);
    const tool = tools.find(({ name }) => name === calledBy(message)?.name);
    if (tool !== undefined) requireScope(ctx.state.caller, tool.scope);
    if (tool?.scope === CREATE_SCOPE && !isLarge(ctx)) await count(ctx, 'creates');
    await respond(ctx, message, tools, settings);
  };
  return async function answerAgent(ctx) {
    await count(ctx, 'reads');
    if (ctx.method !== 'POST') {
      methodNotAllowed(ctx, 'POST, OPTIONS');
      return;
    }
    requireJsonAccepted(ctx);
    const { caller } = ctx.state;
    if (isLarge(ctx)) requireScope(caller, CREATE_SCOPE);
    checkBodyHeaders(ctx, MAX_CREATE_BYTES);
    // A large body has a create, or is refused.
    if (isLarge(ctx)) await count(ctx, 'creates');
    await largeBodies.during(ctx, caller.developerId, () => answerMessage(ctx));
  };
}

/** Returns the file in a call of the tool that creates. */
function fileIn(message: unknown): unknown {
  const call = calledBy(message);
  return call?.name === CREATE_TOOL ? (Object(call.arguments) as { readonly file?: unknown }).file : undefined;
}

async function respond(ctx: Context, message: unknown, tools: readonly Tool[], settings: HttpSettings): Promise<void> {
  const { requestId, caller } = ctx.state;
  const problemOf = (error: unknown) => {
    const problem = problemToTell(error, (failure) => settings.onError(failure, requestId));
    ctx.state.problem = problem.slug;
    ctx.state.reason = problem.options.reason;
    return problemText(problem, settings.base, requestId, MAX_MISTAKES);
  };
  let cause: unknown;
  const newServer = () => newAgentServer(tools, { caller: () => caller, problemOf });
  const response = await exchange(requestOf(ctx), message, newServer, (error) => (cause = error));
  if (response.status >= 500) settings.onError(cause, requestId);
  ctx.status = response.status;
  const type = response.headers.get('Content-Type');
  if (type !== null) ctx.set('Content-Type', type);
  ctx.body = await response.text();
}

/** Answers one message. Clients of 2025 get a response without a stream, too. */
async function exchange(
  request: Request,
  parsedBody: unknown,
  newServer: () => McpServer,
  onerror: (error: Error) => void,
): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    const refusal = refusalOf(parsedBody);
    if (refusal !== undefined) return Response.json(refusal, { status: 404 });
    return createMcpHandler(newServer, { legacy: 'reject', onerror }).fetch(request, { parsedBody });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = newServer();
  server.server.onerror = onerror;
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** The body goes apart, parsed. */
function requestOf({ req }: Context): Request {
  const headers = Object.entries({ ...req.headers, accept: ACCEPTED }).filter(
    (header): header is [string, string] => typeof header[1] === 'string' && !header[0].startsWith(':'),
  );
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers });
}
