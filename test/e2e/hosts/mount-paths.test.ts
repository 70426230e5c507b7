import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer, type RequestListener } from 'node:http';
import Koa from 'koa';
import mount from 'koa-mount';
import type { Applications } from '../../../adapters/api/index.js';
import { answersIn, FUNCTIONS } from '../../support/mounted.js';
import { listening } from '../../support/socket.js';
import { MOUNT_PATH } from './hosts.js';

/** A server of each framework, with the function under the mount path. */
const HOSTS: Readonly<Record<string, (market: Applications['api']) => RequestListener | Promise<RequestListener>>> = {
  'Express, which removes it': (market) => express().use(MOUNT_PATH, market) as RequestListener,

  'Express, where a function is for every path': (market) => express().use(market) as RequestListener,

  'a router of Express': (market) => express().use(MOUNT_PATH, express.Router().use(market)) as RequestListener,

  'koa-mount, which removes it': (market) => {
    const app = new Koa();
    const hand: Koa.Middleware = (ctx) => {
      ctx.respond = false;
      return market(ctx.req, ctx.res);
    };
    const handle = app.use(mount(MOUNT_PATH, hand)).callback();
    return (request, response) => void handle(request, response);
  },

  'Koa, where a function is for every path': (market) => {
    const handle = new Koa()
      .use((ctx) => {
        ctx.respond = false;
        return market(ctx.req, ctx.res);
      })
      .callback();
    return (request, response) => void handle(request, response);
  },

  'a route of Fastify': async (market) => {
    const app = fastify();
    for (const path of [MOUNT_PATH, `${MOUNT_PATH}/*`])
      app.all(path, (request, reply) => {
        reply.hijack();
        market(request.raw, reply.raw);
      });
    await app.ready();
    return (request, response) => app.routing(request, response);
  },

  'a route of Hono': (market) => {
    const app = new Hono<{ Bindings: HttpBindings }>();
    for (const path of [MOUNT_PATH, `${MOUNT_PATH}/*`])
      app.all(path, ({ env }) => {
        market(env.incoming, env.outgoing);
        return RESPONSE_ALREADY_SENT;
      });
    const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return (request, response) => void handle(request, response);
  },
};

for (const [host, newHost] of Object.entries(HOSTS))
  describe(`Under a mount path in ${host}`, () => {
    for (const [name, mounted] of Object.entries(FUNCTIONS))
      it(`${name} has every address, and the mount path itself leads to its first page`, async () => {
        const found = await answersIn(mounted, MOUNT_PATH, async (market) =>
          listening(createServer(await newHost(market))),
        );
        expect(found).to.deep.equal(mounted.answers);
      });
  });
