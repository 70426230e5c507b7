import Router from '@koa/router';
import { requireScope, type Scope } from '../../domain/access.js';
import { checkBodyHeaders, readJson } from './body.js';
import { answerContent, answerWith, JSON_TYPE } from './conditional.js';
import { nothingHere } from './errors.js';
import type { Exchange, Handler, Middleware, Service } from './exchange.js';
import { pageLinks } from './page-links.js';
import { answerOtherMethod } from './methods.js';
import { Problem } from './problems.js';
import { automationJson, categoryListJson, draftOf } from './representations.js';
import { contentOf, Texts } from './texts.js';
import { remembering } from './remembering.js';
import { CreateAutomationCheck, readListQuery, refuseQuery } from './validation.js';

interface Operation {
  readonly scope: Scope;
  readonly run: Handler;
}

/** What a path takes, by method. */
type Resource = Readonly<Partial<Record<'GET' | 'POST', Operation>>>;

/** Of a UUID (RFC 9562), in characters. */
const ID_LENGTH = 36;

type EndpointOptions = Pick<Service, 'marketplace' | 'publicUrl' | 'mountPath'>;

/** The four endpoints, by the path below a base. */
export function endpoints(service: EndpointOptions): Readonly<Record<string, Resource>> {
  const texts = new Texts();
  return {
    '/automations': {
      GET: { scope: 'automations:read', run: listAutomations(service, texts) },
      POST: { scope: 'automations:write', run: createAutomation(service) },
    },
    '/automations/:id': { GET: { scope: 'automations:read', run: readAutomation(service, texts) } },
    '/categories': { GET: { scope: 'automations:read', run: listCategories(service) } },
  };
}

/**
 * Runs what there is for the path. The router finds it; its own middleware would compose a chain for each request, which takes as long
 * as all the rest of a short answer, and here each route is one handler.
 */
export function routing(resources: Readonly<Record<string, Resource>>): Middleware<Exchange> {
  const router = new Router<Exchange>({ strict: true, sensitive: true });
  const handlers = new Map(Object.entries(resources).map(([path, resource]) => [path, dispatch(path, resource)]));
  for (const [path, handler] of handlers) router.all(path, handler);
  const handlerOf = remembering((path) => handlers.get(String(router.match(path, 'GET').pathAndMethod[0]?.path)));
  return (ctx) => (handlerOf(withoutId(ctx.state.path)) ?? nothingHere)(ctx);
}

/** A last segment as long as an id is taken for one: whatever it is, the way is the same, and need be found only once. */
function withoutId(path: string): string {
  const start = path.lastIndexOf('/') + 1;
  return path.length - start === ID_LENGTH ? `${path.slice(0, start)}id` : path;
}

/** Route and method, then rights, then what the client accepts. */
function dispatch(path: string, resource: Resource): Handler {
  const allow = allowedMethods(resource);
  return async (ctx) => {
    ctx.state.route = path;
    const operation = resource[ctx.method === 'HEAD' ? 'GET' : (ctx.method as 'GET' | 'POST')];
    if (operation === undefined) {
      answerOtherMethod(ctx, allow);
      return;
    }
    requireScope(ctx.state.caller, operation.scope);
    if (ctx.get('Accept').trim() !== '' && !ctx.accepts('application/json', JSON_TYPE))
      throw new Problem('not-acceptable', 'The header Accept must admit application/json.');
    await operation.run(ctx);
  };
}

/** As in the header Allow. */
function allowedMethods(resource: Resource): string {
  return [...(resource.GET ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(resource.POST ? ['POST'] : [])].join(', ');
}

function listAutomations({ marketplace, publicUrl, mountPath }: EndpointOptions, texts: Texts): Handler {
  const readQuery = remembering(readListQuery);
  return async (ctx) => {
    const query = readQuery(ctx.state.query);
    const list = await marketplace.listAutomations(ctx.state.caller, query);
    const { base, reply } = ctx.state;
    const links = pageLinks(`${publicUrl}${mountPath}${base}/automations`, query, list);
    if (links !== undefined) reply.headers['Link'] = links;
    answerContent(ctx, texts.ofPage(list, query.category));
  };
}

function readAutomation({ marketplace }: EndpointOptions, texts: Texts): Handler {
  return async (ctx) => {
    refuseQuery(ctx.state.query);
    const id = ctx.state.path.slice('/automations/'.length);
    const automation = await marketplace.readAutomation(ctx.state.caller, id);
    answerContent(ctx, texts.ofAutomation(automation));
  };
}

function createAutomation({ marketplace, publicUrl, mountPath }: EndpointOptions): Handler {
  const shape = new CreateAutomationCheck(marketplace.currency, (body) => marketplace.reviewAutomation(draftOf(body)));
  return async (ctx) => {
    const key = checkBodyHeaders(ctx);
    const json = await readJson(ctx);
    refuseQuery(ctx.state.query);
    const draft = draftOf(await shape.check(json));
    const { automation, replayed } = await marketplace.createAutomationOnce(ctx.state.caller, draft, key);
    const { reply, base } = ctx.state;
    if (replayed) reply.headers['Idempotent-Replayed'] = 'true';
    reply.headers['Location'] = `${publicUrl}${mountPath}${base}/automations/${automation.id}`;
    answerWith(ctx, { type: JSON_TYPE, body: JSON.stringify(automationJson(automation)) });
    reply.status = 201;
  };
}

function listCategories({ marketplace }: EndpointOptions): Handler {
  return async (ctx) => {
    refuseQuery(ctx.state.query);
    const categories = await marketplace.listCategories(ctx.state.caller);
    answerContent(ctx, contentOf(categoryListJson(categories)));
  };
}
