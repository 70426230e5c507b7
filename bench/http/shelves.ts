import { createHash, randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import type { Category } from '../../domain/category.js';
import { newAutomations } from '../catalogue.js';
import { automationJson } from '../../adapters/api/representations.js';
import type * as wire from '../../adapters/client/index.js';

type Item = Readonly<wire.Automation>;

export interface Body {
  readonly title: string;
  readonly description: string;
  readonly price: number;
  readonly category_id: string;
}

/** The key of every bare server. */
export const KEY = `amk_${'x'.repeat(36)}`;

/**
 * What the bare servers store, so that they differ only in how they speak HTTP: automations in order, a key by its
 * SHA-256.
 */
export class Shelves {
  readonly #items: Item[] = [];
  readonly #byCategory = new Map<string, Item[]>();
  readonly #byId = new Map<string, Item>();
  readonly #developers = new Map([[sha256(KEY), 'bench']]);
  readonly #valid = new Ajv({ allErrors: true }).compile<Body>(SCHEMA);

  constructor(count: number, categories: readonly Category[]) {
    for (const { id } of categories) this.#byCategory.set(id, []);
    for (const automation of newAutomations(count, categories)) this.#add(automationJson(automation));
  }

  /** Returns the owner of the key in the header Authorization. */
  developerOf(authorization: string | undefined): string | undefined {
    if (!authorization?.startsWith('Bearer ')) return undefined;
    return this.#developers.get(sha256(authorization.slice('Bearer '.length)));
  }

  /** Returns one page, newest first, with the exact total; undefined for values that are not allowed. */
  list(category: string | undefined, page = '1', limit = '25') {
    if (!INTEGER.test(page) || !INTEGER.test(limit) || Number(limit) > 100) return undefined;
    const items = category === undefined ? this.#items : (this.#byCategory.get(category) ?? []);
    const end = Math.max(0, items.length - (Number(page) - 1) * Number(limit));
    const slice = items.slice(Math.max(0, end - Number(limit)), end).reverse();
    const data = slice.map(({ id, title, price }) => ({ id, title, price }));
    return { data, total: items.length, page: Number(page) };
  }

  find(id: string): Item | undefined {
    return this.#byId.get(id);
  }

  /** Returns the body if it describes an automation in an existing category. */
  valid(body: unknown): Body | undefined {
    return this.#valid(body) && this.#byCategory.has(body.category_id) ? body : undefined;
  }

  /** Stores a new automation and returns it; undefined for a body that is not valid. */
  create(body: unknown, developer: string): Item | undefined {
    const draft = this.valid(body);
    if (draft === undefined) return undefined;
    const { title, description, price, category_id } = draft;
    const now = new Date().toISOString();
    const item = {
      id: randomUUID(),
      title,
      description,
      price,
      currency: 'USD',
      category_id,
      developer_id: developer,
      url: null,
      license: null,
      file: null,
      created_at: now,
      updated_at: now,
    };
    this.#add(item);
    return item;
  }

  #add(item: Item): void {
    this.#items.push(item);
    this.#byCategory.get(item.category_id)?.push(item);
    this.#byId.set(item.id, item);
  }
}

const INTEGER = /^[1-9][0-9]{0,8}$/;

const SCHEMA = {
  type: 'object',
  required: ['title', 'description', 'price', 'category_id'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200 },
    description: { type: 'string', minLength: 1, maxLength: 10_000 },
    price: { type: 'number', minimum: 0, maximum: 99_999_999.99 },
    category_id: { type: 'string', minLength: 1, maxLength: 64 },
  },
} as const;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
