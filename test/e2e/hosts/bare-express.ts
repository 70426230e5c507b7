import express from 'express';
import type { RequestListener } from 'node:http';
import type { Shelves } from '../../../bench/http/shelves.js';

interface Known {
  developer: string;
}

type Query = Partial<Record<'category' | 'page' | 'limit', string>>;

/** The same work as anybody would write it first with Express. */
export function bare(shelves: Shelves): RequestListener {
  const app = express();
  app.use((request, response, next) => {
    const developer = shelves.developerOf(request.headers.authorization);
    if (developer === undefined) response.status(401).json({ title: 'Unauthorized' });
    else {
      (response.locals as Known).developer = developer;
      next();
    }
  });
  app.use(express.json());
  app.get('/api/automations', (request, response) => {
    const { category, page, limit } = request.query as Query;
    const list = shelves.list(category, page, limit);
    response.status(list ? 200 : 400).json(list ?? NOT_VALID);
  });
  app.get('/api/automations/:id', (request, response) => {
    const item = shelves.find(request.params.id);
    response.status(item ? 200 : 404).json(item ?? NOT_VALID);
  });
  app.post('/api/automations', (request, response) => {
    const item = shelves.create(request.body, (response.locals as Known).developer);
    if (item) response.location(`/api/automations/${item.id}`);
    response.status(item ? 201 : 422).json(item ?? NOT_VALID);
  });
  return app as RequestListener;
}

const NOT_VALID = { title: 'Not valid' };
