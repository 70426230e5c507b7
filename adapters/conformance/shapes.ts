import type {
  Automation,
  AutomationFile,
  AutomationList,
  AutomationSummary,
  Category,
  CategoryList,
} from '../client/index.js';
import type { Api, Reply } from './api.js';
import { jsonOf, must, same } from './check.js';

/** What a member is, in words, and whether a value is that. */
type Rule = readonly [what: string, holds: (value: unknown) => boolean];
/** Every member of a published type. What a server sends is held to nothing that the server says of itself. */
type Shape<Value> = { readonly [Member in keyof Value]-?: Rule };

function text(what: string, pattern: RegExp): Rule {
  return [what, (value) => typeof value === 'string' && pattern.test(value)];
}

const TEXT = text('text', /[^]/);
const TEXT_OR_NULL: Rule = ['text or null', (value) => value === null || typeof value === 'string'];
const SLUG = text('a slug', /^[a-z0-9]+(-[a-z0-9]+)*$/);
const TIME = text('an RFC 3339 time in UTC with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const COUNT: Rule = ['a whole number', (value) => Number.isInteger(value) && Number(value) >= 0];
const ARRAY: Rule = ['a list', Array.isArray];

const FILE: Shape<Required<AutomationFile>> = {
  name: TEXT,
  media_type: text('a media type', /^(?:application\/(?:json|zip|gzip)|text\/plain)$/),
  size: COUNT,
  sha256: text('a SHA-256', /^[0-9a-f]{64}$/),
  platform: TEXT_OR_NULL,
  url: TEXT_OR_NULL,
  facts: ['null or an object', (value) => typeof value === 'object'],
  removed: ['a list, if it is there', (value) => value === undefined || Array.isArray(value)],
};
const SUMMARY: Shape<AutomationSummary> = {
  id: text('a UUIDv7', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  title: TEXT,
  price: ['a number from 0', (value) => typeof value === 'number' && value >= 0],
};
const AUTOMATION: Shape<Automation> = {
  ...SUMMARY,
  description: TEXT,
  currency: text('an ISO 4217 code', /^[A-Z]{3}$/),
  category_id: SLUG,
  developer_id: TEXT,
  url: TEXT_OR_NULL,
  license: TEXT_OR_NULL,
  file: ['null or a file', (value) => value === null || isFile(value)],
  created_at: TIME,
  updated_at: TIME,
};
const CATEGORY: Shape<Category> = { id: SLUG, name: TEXT, automation_count: COUNT };
const LIST: Shape<AutomationList> = { data: ARRAY, total: COUNT, page: COUNT };
const CATEGORIES: Shape<CategoryList> = { data: ARRAY, total: COUNT };

function isFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  const isKnown = Object.keys(members).every((name) => Object.hasOwn(FILE, name));
  return isKnown && Object.entries<Rule>(FILE).every(([name, [, holds]]) => holds(members[name]));
}

/** Requires these members and no other. */
function mustBe<Value>(value: unknown, shape: Shape<Value>, reply: Reply, what: string): asserts value is Value {
  must(typeof value === 'object' && value !== null, reply, `${what} is not an object`);
  const others = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  must(others.length === 0, reply, `${what} also has ${others.join(', ')}`);
  const members = value as Readonly<Record<string, unknown>>;
  for (const [name, [rule, holds]] of Object.entries<Rule>(shape))
    must(holds(members[name]), reply, `${name} of ${what} is not ${rule}`);
}

export interface List extends AutomationList {
  readonly reply: Reply;
}

/** Returns one page, after a check of its shape. */
export async function list(api: Api, query = ''): Promise<List> {
  const reply = await api.ask(`/automations${query}`);
  const page = jsonOf(reply);
  mustBe(page, LIST, reply, 'the list');
  for (const item of page.data) mustBe(item, SUMMARY, reply, 'an item');
  return { ...page, reply };
}

/** Returns an automation in full, after a check of its shape. */
export function automationOf(reply: Reply, status = 200): Automation {
  const automation = jsonOf(reply, status);
  mustBe(automation, AUTOMATION, reply, 'the automation');
  must(automation.updated_at >= automation.created_at, reply, 'updated_at is before created_at');
  return automation;
}

export async function categories(api: Api): Promise<readonly Category[]> {
  const reply = await api.ask('/categories');
  const all = jsonOf(reply);
  mustBe(all, CATEGORIES, reply, 'the list of categories');
  for (const category of all.data) mustBe(category, CATEGORY, reply, 'a category');
  same(all.total, all.data.length, reply, 'total');
  return all.data;
}

/** Returns the addresses of the header Link, by relation. */
export function linksOf({ headers }: { readonly headers: Headers }): ReadonlyMap<string, string> {
  return new Map(
    Array.from((headers.get('Link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g), ([, url = '', rel = '']) => [rel, url]),
  );
}
