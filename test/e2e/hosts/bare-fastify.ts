import fastify from 'fastify';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Shelves } from '../../../bench/http/shelves.js';

declare module 'fastify' {
  interface FastifyRequest {
    developer?: string;
  }
}

type Query = Partial<Record<'category' | 'page' | 'limit', string>>;

/** The same work as anybody would write it first with Fastify. */
export async function bare(shelves: Shelves): Promise<RequestListener> {
  const app = fastify();
  app.decorateRequest('developer');
  app.addHook('onRequest', async (request, reply) => {
    const developer = shelves.developerOf(request.headers.authorization);
    if (developer === undefined) await reply.code(401).send({ title: 'Unauthorized' });
    else request.developer = developer;
  });
  app.get<{ Querystring: Query }>('/api/automations', ({ query: { category, page, limit } }, reply) =>
    reply.send(shelves.list(category, page, limit) ?? refuse(400)),
  );
  app.get<{ Params: { id: string } }>('/api/automations/:id', ({ params }, reply) =>
    reply.send(shelves.find(params.id) ?? refuse(404)),
  );
  app.post('/api/automations', ({ body, developer = '' }, reply) => {
    const item = shelves.create(body, developer) ?? refuse(422);
    return reply.code(201).header('Location', `/api/automations/${item.id}`).send(item);
  });
  await app.ready();
  return (request: IncomingMessage, response) => {
    app.routing(request, response);
  };
}

function refuse(statusCode: number): never {
  throw Object.assign(new Error('Not valid'), { statusCode });
}
