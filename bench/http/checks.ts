import { draftJson, newAutomations, newCategories } from '../catalogue.js';
import type { Subject } from './subjects.js';

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: unknown;
}

interface List {
  readonly data: readonly { readonly id: string }[];
  readonly total: number;
  readonly page: number;
}

/** Fails unless the server does the work that is measured. Answers the shapes of its answers, which must be the same for all servers. */
export async function shapesOf(subject: Subject, count: number, categories: number): Promise<string> {
  const list = await ask(subject, '/api/automations?limit=20&page=2');
  const filtered = await ask(subject, `/api/automations?limit=20&category=category-3`);
  const [first] = (list.body as List).data;
  const item = await ask(subject, `/api/automations/${first?.id ?? ''}`);
  const created = await ask(subject, '/api/automations', aDraft(categories));
  const newest = await ask(subject, '/api/automations?limit=1');
  const refused = await ask(subject, '/api/automations', '{"title":"no more"}');
  const unknown = await ask({ ...subject, key: 'amk_nobody' }, '/api/automations');
  const { id } = created.body as { id: string };
  expect(subject, 'total', (list.body as List).total === count);
  expect(subject, 'page 2', (list.body as List).page === 2 && (list.body as List).data.length === 20);
  expect(subject, 'filter', (filtered.body as List).total === Math.floor(count / categories));
  expect(subject, 'location', created.location?.endsWith(`/api/automations/${id}`) === true);
  expect(subject, 'newest first', (newest.body as List).total === count + 1 && (newest.body as List).data[0]?.id === id);
  const statuses = [list, item, created, refused, unknown].map(({ status }) => status).join(' ');
  expect(subject, `statuses ${statuses}`, statuses === '200 200 201 422 401');
  return JSON.stringify([list, filtered, item, created].map(({ body }) => shapeOf(body)), null, 1);
}

/** Ids of automations from so many pages all over the list. */
export async function someIds(subject: Subject, pages: readonly number[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const page of pages) {
    const { body } = await ask(subject, `/api/automations?limit=20&page=${page}`);
    ids.push(...(body as List).data.map(({ id }) => id));
  }
  return ids;
}

function aDraft(categories: number): string {
  const [automation] = newAutomations(1, newCategories(categories));
  if (automation === undefined) throw new Error('the catalogue is empty');
  return draftJson(automation);
}

async function ask({ url, key }: Subject, path: string, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, location: response.headers.get('location'), body: response.ok ? JSON.parse(text) : text };
}

/** Members and types; of an array, its length and its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [value.length, shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

function expect({ name }: Subject, what: string, holds: boolean): void {
  if (!holds) throw new Error(`${name} does not do what is measured: ${what}`);
}
