import type { Api, Reply } from './api.js';
import { jsonOf, must, mustHave, same } from './check.js';

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly price: number;
}

export interface List {
  readonly reply: Reply;
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
}

export interface Automation extends Item {
  readonly description: string;
  readonly category_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly automation_count: number;
}

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const AUTOMATION = [
  ...['id', 'title', 'description', 'price', 'currency', 'category_id'],
  ...['developer_id', 'created_at', 'updated_at'],
];

/** Returns one page, after a check of its shape. */
export async function list(api: Api, query = ''): Promise<List> {
  const reply = await api.ask(`/automations${query}`);
  const envelope = jsonOf(reply);
  mustHave(envelope, ['data', 'total', 'page'], reply, 'the list');
  const { data, total, page } = envelope;
  must(Array.isArray(data), reply, 'data is not a list');
  must(isCount(total) && isCount(page), reply, 'total or page is not a whole number');
  for (const item of data as unknown[]) {
    mustHave(item, ['id', 'title', 'price'], reply, 'an item');
    mustBeItem(item, reply);
  }
  return { reply, data: data as Item[], total, page };
}

function mustBeItem({ id, title, price }: Record<string, unknown>, reply: Reply): void {
  must(typeof id === 'string' && UUID_7.test(id), reply, `the id ${String(id)} is not a UUIDv7`);
  must(typeof title === 'string' && title !== '', reply, 'a title is not text');
  must(typeof price === 'number' && price >= 0, reply, 'a price is not a number from 0');
}

/** Returns an automation in full, after a check of its shape. */
export function automationOf(reply: Reply, status = 200): Automation {
  const automation = jsonOf(reply, status);
  mustHave(automation, AUTOMATION, reply, 'the automation');
  mustBeItem(automation, reply);
  must(typeof automation['description'] === 'string', reply, 'the description is not text');
  must(/^[A-Z]{3}$/.test(String(automation['currency'])), reply, 'the currency is not an ISO 4217 code');
  must(SLUG.test(String(automation['category_id'])), reply, 'category_id is not a slug');
  for (const name of ['created_at', 'updated_at'])
    must(TIMESTAMP.test(String(automation[name])), reply, `${name} is not an RFC 3339 time in UTC with milliseconds`);
  must(String(automation['updated_at']) >= String(automation['created_at']), reply, 'updated_at is before created_at');
  return automation as unknown as Automation;
}

export async function categories(api: Api): Promise<readonly Category[]> {
  const reply = await api.ask('/categories');
  const envelope = jsonOf(reply);
  mustHave(envelope, ['data', 'total'], reply, 'the list of categories');
  const data = envelope['data'];
  must(Array.isArray(data), reply, 'data is not a list');
  for (const category of data as unknown[]) {
    mustHave(category, ['id', 'name', 'automation_count'], reply, 'a category');
    must(SLUG.test(String(category['id'])), reply, 'the id of a category is not a slug');
    must(isCount(category['automation_count']), reply, 'automation_count is not a whole number');
  }
  same(envelope['total'], data.length, reply, 'total');
  return data as Category[];
}

/** Returns the addresses of the header Link, by relation. */
export function linksOf({ headers }: { readonly headers: Headers }): ReadonlyMap<string, string> {
  return new Map(
    Array.from((headers.get('Link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g), ([, url = '', rel = '']) => [rel, url]),
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
