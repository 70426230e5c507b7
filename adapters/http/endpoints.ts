import Router from '@koa/router';
import { requireScope, type Scope } from '../../domain/access.js';
import { checkBodyHeaders, readJson } from './body.js';
import { answerRead, answerWith, JSON_TYPE } from './conditional.js';
import type { Exchange, Handler, Service } from './exchange.js';
import { pageLinks } from './links.js';
import { answerOtherMethod } from './methods.js';
import { Problem } from './problems.js';
import { automationJson, automationListJson, categoryListJson, draftOf } from './representations.js';
import { CreateAutomationCheck, readListQuery, refuseQuery } from './validation.js';

interface Operation {
  readonly scope: Scope;
  readonly run: Handler;
}

/** What a path takes, by method. */
type Resource = Readonly<Partial<Record<'GET' | 'POST', Operation>>>;

export type EndpointOptions = Pick<Service, 'marketplace' | 'publicUrl' | 'mountPath'>;

/** The four endpoints, by the path below a base. */
export function endpoints(service: EndpointOptions): Readonly<Record<string, Resource>> {
  return {
    '/automations': {
      GET: { scope: 'automations:read', run: listAutomations(service) },
      POST: { scope: 'automations:write', run: createAutomation(service) },
    },
    '/automations/:id': { GET: { scope: 'automations:read', run: readAutomation(service) } },
    '/categories': { GET: { scope: 'automations:read', run: listCategories(service) } },
  };
}

export function router(resources: Readonly<Record<string, Resource>>): Router<Exchange> {
  const routes = new Router<Exchange>({ strict: true, sensitive: true });
  for (const [path, resource] of Object.entries(resources)) routes.all(path, dispatch(path, resource));
  return routes;
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
export function allowedMethods(resource: Resource): string {
  return [...(resource.GET ? ['GET', 'HEAD'] : []), 'OPTIONS', ...(resource.POST ? ['POST'] : [])].join(', ');
}

function listAutomations({ marketplace, publicUrl, mountPath }: EndpointOptions): Handler {
  return async (ctx) => {
    const query = readListQuery(ctx.querystring);
    const list = await marketplace.listAutomations(ctx.state.caller, query);
    ctx.state.reply.headers['Link'] = pageLinks(`${publicUrl}${mountPath}${ctx.state.base}/automations`, query, list);
    answerRead(ctx, JSON.stringify(automationListJson(list)));
  };
}

function readAutomation({ marketplace }: EndpointOptions): Handler {
  return async (ctx) => {
    refuseQuery(ctx.querystring);
    const id = ctx.path.slice(`${ctx.state.base}/automations/`.length);
    const automation = await marketplace.readAutomation(ctx.state.caller, id);
    answerRead(ctx, JSON.stringify(automationJson(automation)));
  };
}

function createAutomation({ marketplace, publicUrl, mountPath }: EndpointOptions): Handler {
  const shape = new CreateAutomationCheck(marketplace.currency, (body) => marketplace.reviewAutomation(draftOf(body)));
  return async (ctx) => {
    const key = checkBodyHeaders(ctx);
    const json = await readJson(ctx);
    refuseQuery(ctx.querystring);
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
    refuseQuery(ctx.querystring);
    const categories = await marketplace.listCategories(ctx.state.caller);
    answerRead(ctx, JSON.stringify(categoryListJson(categories)));
  };
}
