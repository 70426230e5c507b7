import { requireScope } from '../../domain/access.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { Scope } from '../../domain/scope.js';
import type { Context, Handler, HttpMiddleware, HttpSettings } from '../edge/context.js';
import { methodNotAllowed } from '../edge/middleware/methods.js';
import { notFound } from '../edge/middleware/problem-documents.js';
import { Problem } from '../edge/problems/problem.js';
import { checkBodyHeaders, readJsonWithFile } from './body.js';
import { jsonContent, sendContent } from '../edge/conditional.js';
import { preferredType } from '../edge/middleware/negotiation.js';
import { JSON_TYPE, send } from '../edge/send.js';
import { parseCreateRequest } from './create-request.js';
import { LargeBodies, MAX_CREATE_BYTES } from '../edge/middleware/large-bodies.js';
import { listQueryParser, namingParameters } from './list-query.js';
import { pageLinks } from './page-links.js';
import { refuseQuery } from './query-string.js';
import { RepresentationCache } from './representation-cache.js';
import { automationListJson, categoryListJson, createdJson, fileAddress } from './representations.js';

interface Operation {
  readonly scope: Scope;
  readonly run: Handler;
}

/** The operations of a path, by method. */
interface Resource {
  readonly route: string;
  readonly GET: Operation;
  readonly POST?: Operation;
}

type EndpointSettings = Pick<
  HttpSettings,
  'marketplace' | 'publicUrl' | 'mountPath' | 'filesPath' | 'search' | 'quotas'
>;

const AUTOMATION = /^\/automations\/([^/]+)$/;

/** The two steps of the four endpoints. */
interface Endpoints {
  /** Notes the route, for the log and the metrics alone: it is not known yet who asks. */
  readonly findRoute: HttpMiddleware;
  /** Runs the operation: route and method, then rights, then what the client accepts. */
  readonly run: HttpMiddleware;
}

export function endpoints(settings: EndpointSettings): Endpoints {
  const resources = resourcesOf(settings);
  const find = (path: string) =>
    resources.find(({ route }) => route === (AUTOMATION.test(path) ? '/automations/:id' : path));
  const findRoute: HttpMiddleware = (ctx, next) => {
    const { base, path } = ctx.state;
    const route = find(path)?.route;
    ctx.state.route = route;
    // What traces Koa, such as OpenTelemetry, looks for the route of a request here, where @koa/router has it.
    if (route !== undefined) ctx['_matchedRoute'] = settings.mountPath + base + route;
    return next();
  };
  return { findRoute, run: runOperation(resources) };
}

function runOperation(resources: readonly Resource[]): HttpMiddleware {
  return async function runEndpoint(ctx) {
    const resource = resources.find(({ route }) => route === ctx.state.route) ?? notFound();
    const operation = resource[ctx.method === 'HEAD' ? 'GET' : (ctx.method as 'GET' | 'POST')];
    if (operation === undefined) {
      methodNotAllowed(ctx, allowedMethods(resource));
      return;
    }
    requireScope(ctx.state.caller, operation.scope);
    requireJsonAccepted(ctx);
    await operation.run(ctx);
  };
}

/** Returns the operations of each path. */
export function resourcesOf(settings: EndpointSettings): readonly Resource[] {
  const cache = new RepresentationCache(fileAddress(settings));
  const reading = (run: Handler): Operation => ({ scope: 'automations:read', run });
  return [
    {
      route: '/automations',
      GET: reading(listAutomations(settings)),
      POST: { scope: 'automations:write', run: createAutomation(settings) },
    },
    { route: '/automations/:id', GET: reading(readAutomation(settings, cache)) },
    { route: '/categories', GET: reading(listCategories(settings)) },
  ];
}

/** Returns the value of the header Allow. */
function allowedMethods({ POST }: Resource): string {
  return POST === undefined ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
}

/** @throws Problem `not-acceptable` when the client takes no JSON. */
export function requireJsonAccepted(ctx: Context): void {
  if (preferredType(ctx, 'application/json') !== undefined) return;
  throw new Problem('not-acceptable', 'The header Accept must permit application/json.');
}

function listAutomations(settings: EndpointSettings): Handler {
  const { marketplace, publicUrl, mountPath, search } = settings;
  const parse = listQueryParser(marketplace, search);
  return async (ctx) => {
    const { base, caller, query } = ctx.state;
    const request = parse(query);
    const list = await marketplace.listAutomations(caller, request).catch((error: unknown) => {
      throw namingParameters(error);
    });
    sendContent(ctx, jsonContent(automationListJson(list)));
    const links = pageLinks(`${publicUrl}${mountPath}${base}/automations`, request, list);
    if (links !== undefined) ctx.set('Link', links);
  };
}

function readAutomation({ marketplace }: EndpointSettings, cache: RepresentationCache): Handler {
  return async (ctx) => {
    refuseQuery(ctx.state.query);
    const id = ctx.state.path.slice('/automations/'.length);
    sendContent(ctx, cache.of(await marketplace.readAutomation(ctx.state.caller, id)));
  };
}

function createAutomation(settings: EndpointSettings): Handler {
  const { marketplace, publicUrl, mountPath } = settings;
  const [largeBodies, addressOf] = [LargeBodies.of(settings.quotas), fileAddress(settings)];
  const create = async (ctx: Context, key: IdempotencyKey | undefined) => {
    const json = await readJsonWithFile(ctx, (body) => (Object(body) as { readonly file?: unknown }).file);
    refuseQuery(ctx.state.query);
    const draft = await parseCreateRequest(ctx.state.caller, json, marketplace);
    const { automation, replayed, removed } = await marketplace.createAutomationOnce(ctx.state.caller, draft, key);
    if (replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.set('Location', `${publicUrl}${mountPath}${ctx.state.base}/automations/${automation.id}`);
    send(ctx, JSON_TYPE, JSON.stringify(createdJson(automation, removed, addressOf)), 201);
  };
  return async (ctx) => {
    const key = checkBodyHeaders(ctx, MAX_CREATE_BYTES);
    await largeBodies.during(ctx, ctx.state.caller.developerId, () => create(ctx, key));
  };
}

function listCategories({ marketplace }: EndpointSettings): Handler {
  return async (ctx) => {
    refuseQuery(ctx.state.query);
    sendContent(ctx, jsonContent(categoryListJson(await marketplace.listCategories(ctx.state.caller))));
  };
}
