import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import Koa from 'koa';
import compose from 'koa-compose';
import mount from 'koa-mount';
import type { MountedApp } from '../../../adapters/api/index.js';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Where every host mounts the application, beside a route of its own at `/hello`. */
export const MOUNT_PATH = '/market';

/** Makes a server that listens, with the application under the mount path. */
export type Host = (market: RequestListener, app: MountedApp) => Promise<Server>;

/** What stands behind the mount path, if the request is for it. */
function takePrefix(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (!url.startsWith(`${MOUNT_PATH}/`)) return false;
  request.url = url.slice(MOUNT_PATH.length);
  return true;
}

class HostModule {
  readonly name = 'host';
}
Module({})(HostModule);

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export const HOSTS: Readonly<Record<string, Host>> = {
  'node:http': (market) =>
    listening(
      createServer((request, response) => {
        if (takePrefix(request)) market(request, response);
        else response.end('hello');
      }),
    ),

  Koa: (market) => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      ctx.respond = !takePrefix(ctx.req);
      if (ctx.respond) await next();
      else market(ctx.req, ctx.res);
    });
    app.use((ctx) => {
      ctx.body = 'hello';
    });
    const handle = app.callback();
    return listening(createServer((request, response) => void handle(request, response)));
  },

  'koa-mount': (_market, marketplace) => {
    const app = new Koa();
    app.use(mount(MOUNT_PATH, compose(marketplace.middleware)));
    app.use((ctx) => {
      ctx.body = 'hello';
    });
    const handle = app.callback();
    return listening(createServer((request, response) => void handle(request, response)));
  },

  Hono: (market) => {
    const app = new Hono();
    app.get('/hello', (ctx) => ctx.text('hello'));
    const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return listening(
      createServer((request, response) => {
        if (takePrefix(request)) market(request, response);
        else void handle(request, response);
      }),
    );
  },

  'Express 5': (market) => {
    const app = express().disable('x-powered-by');
    app.use(MOUNT_PATH, market);
    app.get('/hello', (_request, response) => {
      response.send('hello');
    });
    return listening(createServer(app as RequestListener));
  },

  'Fastify 5': async (market) => {
    const serverFactory = (handle: RequestListener) =>
      createServer((request, response) => (takePrefix(request) ? market : handle)(request, response));
    const app = fastify({ serverFactory });
    app.get('/hello', () => 'hello');
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },

  'Nest 11': async (market) => {
    const app = await NestFactory.create<NestExpressApplication>(
      { module: HostModule },
      { logger: false, bodyParser: false },
    );
    app.disable('x-powered-by');
    app.use(MOUNT_PATH, market);
    app.use('/hello', (_request: IncomingMessage, response: { end(text: string): void }) => response.end('hello'));
    await app.listen(0, '127.0.0.1');
    return app.getHttpServer();
  },
};
