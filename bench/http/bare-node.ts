import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Shelves } from './shelves.js';

const ITEM = '/api/automations/';

/** The least that does the work: node:http, written by hand. */
export function bareNode(shelves: Shelves): RequestListener {
  return (request, response) => {
    const developer = shelves.developerOf(request.headers.authorization);
    const [path = '', query] = (request.url ?? '').split('?');
    if (developer === undefined) send(response, 401, UNAUTHORIZED);
    else if (path.startsWith(ITEM)) get(shelves, path.slice(ITEM.length), response);
    else if (path !== '/api/automations') send(response, 404, NOT_FOUND);
    else if (request.method === 'POST') create(shelves, developer, request, response);
    else list(shelves, query, response);
  };
}

function get(shelves: Shelves, id: string, response: ServerResponse): void {
  const item = shelves.find(id);
  if (item === undefined) send(response, 404, NOT_FOUND);
  else send(response, 200, item);
}

function list(shelves: Shelves, query: string | undefined, response: ServerResponse): void {
  const parameters = new URLSearchParams(query);
  const given = (name: string) => parameters.get(name) ?? undefined;
  const answer = shelves.list(given('category'), given('page'), given('limit'));
  if (answer === undefined) send(response, 400, INVALID);
  else send(response, 200, answer);
}

function create(shelves: Shelves, developer: string, request: IncomingMessage, response: ServerResponse): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const item = shelves.create(parsed(Buffer.concat(pieces).toString()), developer);
    if (item !== undefined) response.setHeader('Location', `${ITEM}${item.id}`);
    if (item === undefined) send(response, 422, INVALID);
    else send(response, 201, item);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, value: object): void {
  const json = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}

const UNAUTHORIZED = { title: 'Unauthorized', status: 401 };
const NOT_FOUND = { title: 'Not Found', status: 404 };
const INVALID = { title: 'Not valid', status: 422 };
