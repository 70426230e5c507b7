import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import type { RequestListener } from 'node:http';
import type { Shelves } from './shelves.js';

/** The same work as anybody would write it first with Koa, its router and its body parser. */
export function bareKoa(shelves: Shelves): RequestListener {
  const app = new Koa<{ developer: string }>();
  app.use(async (ctx, next) => {
    ctx.state.developer = shelves.developerOf(ctx.headers.authorization) ?? ctx.throw(401);
    await next();
  });
  app.use(bodyParser());
  app.use(routes(shelves).routes());
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

function routes(shelves: Shelves): Router<{ developer: string }> {
  const router = new Router<{ developer: string }>({ prefix: '/api' });
  router.get('/automations', (ctx) => {
    const { category, page, limit } = ctx.query as Partial<Record<string, string>>;
    ctx.body = shelves.list(category, page, limit) ?? ctx.throw(400);
  });
  router.get('/automations/:id', (ctx) => {
    ctx.body = shelves.find(ctx.params['id'] ?? '') ?? ctx.throw(404);
  });
  router.post('/automations', (ctx) => {
    const item = shelves.create(ctx.request.body, ctx.state.developer) ?? ctx.throw(422);
    ctx.status = 201;
    ctx.set('Location', `/api/automations/${item.id}`);
    ctx.body = item;
  });
  return router;
}
