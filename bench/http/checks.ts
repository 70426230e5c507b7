import { starterCategories } from '../../composition/service/starter-categories.js';
import { draftJson, newAutomations } from '../catalogue.js';
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

/** Throws unless the server does the work that is measured. Returns the shapes of its answers. */
export async function shapesOf(subject: Subject, items: number): Promise<string> {
  const categories = starterCategories();
  const drafts = Array.from(newAutomations(1, categories), draftJson);
  const list = await ask(subject, '/api/automations?limit=20&page=2');
  const filtered = await ask(subject, `/api/automations?limit=20&category=${categories[3]?.id ?? ''}`);
  const page = list.body as List;
  const item = await ask(subject, `/api/automations/${page.data[0]?.id ?? ''}`);
  const created = await ask(subject, '/api/automations', drafts[0]);
  const newest = await listPage(subject, 1, 1);
  const refused = await ask(subject, '/api/automations', '{"title":"no more"}');
  const unknown = await ask({ ...subject, key: 'amk_unknown' }, '/api/automations');
  const { id } = created.body as { id: string };
  const share = (filtered.body as List).total / page.total;
  expect(subject, 'total', page.total >= items);
  expect(subject, 'page 2', page.page === 2 && page.data.length === 20);
  expect(subject, 'filter', share > 0.9 / categories.length && share < 1.1 / categories.length);
  expect(subject, 'location', created.location?.endsWith(`/api/automations/${id}`) === true);
  expect(subject, 'newest first', newest.total === page.total + 1 && newest.data[0]?.id === id);
  const statuses = [list, item, created, refused, unknown].map(({ status }) => status).join(' ');
  expect(subject, `statuses ${statuses}`, statuses === '200 200 201 422 401');
  return JSON.stringify(
    [list, filtered, item, created].map(({ body }) => shapeOf(body)),
    null,
    1,
  );
}

export async function listPage(subject: Subject, page: number, limit: number): Promise<List> {
  return (await ask(subject, `/api/automations?limit=${limit}&page=${page}`)).body as List;
}

async function ask({ url, key }: Subject, path: string, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body });
  const text = await response.text();
  const location = response.headers.get('location');
  return { status: response.status, location, body: response.ok ? JSON.parse(text) : text };
}

/** Members and types; of an array, its length and its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [value.length, shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

function expect({ name }: Subject, what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`${name} does not do the same work: ${what}`);
}
