import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import Koa from 'koa';

/** Sends one file from the disk for any path, as `koa-send` does: its size is looked up, and Koa streams it. */
export function bareFiles(path: string): RequestListener {
  const app = new Koa();
  // A connection that the load generator closes is no failure.
  app.silent = true;
  app.use(async (ctx) => {
    ctx.length = (await stat(path)).size;
    ctx.type = 'application/json';
    ctx.body = createReadStream(path);
  });
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}
