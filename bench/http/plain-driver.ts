import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Binary, MongoClient, UUID, type Collection, type Document } from 'mongodb';
import type { Category } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import { inMajorUnits, minorUnits } from '../../domain/price.js';
import { inBatches, newAutomations } from '../catalogue.js';
import { Shelves, type Body } from './shelves.js';

const ITEM = '/api/automations/';
const DURABLE = { readConcern: { level: 'majority' }, writeConcern: { w: 'majority', journal: true } } as const;

/**
 * The least that does the work on MongoDB: node:http and the driver by hand, one plain command per request.
 * What is created has no number and is on no page.
 */
export async function plainDriver(
  url: string,
  count: number,
  categories: readonly Category[],
): Promise<RequestListener> {
  const client = await new MongoClient(url, { ...DURABLE, maxPoolSize: 20 }).connect();
  const automations = client.db().collection<StoredItem>('automations');
  if (count > 0) await fill(automations, count, categories);
  const shelves = new Shelves(0, categories);
  return (request, response) =>
    void answer(automations, shelves, request, response).catch((error: unknown) =>
      send(response, 500, { error: String(error) }),
    );
}

type Items = Collection<StoredItem>;

interface StoredItem {
  _id: Binary;
  number?: number;
  title: string;
  description: string;
  price: number;
  currency: string;
  category_id: string;
  developer_id: string;
  created_at: Date;
  updated_at: Date;
}

async function fill(automations: Items, count: number, categories: readonly Category[]): Promise<void> {
  let number = 0;
  for (const batch of inBatches(newAutomations(count, categories), 2_000))
    await automations.insertMany(
      batch.map(({ id, title, description, price, categoryId, developerId, createdAt }) => ({
        _id: new UUID(id),
        number: (number += 1),
        title,
        description,
        price: price.minorUnits,
        currency: price.currency,
        category_id: categoryId,
        developer_id: developerId,
        created_at: createdAt,
        updated_at: createdAt,
      })),
    );
  await automations.createIndexes([{ key: { number: 1 } }]);
}

async function answer(
  automations: Items,
  shelves: Shelves,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const developer = shelves.developerOf(request.headers.authorization);
  const [path = '', query] = (request.url ?? '').split('?');
  if (developer === undefined) {
    send(response, 401, {});
    return;
  }
  if (path.startsWith(ITEM)) return get(automations, path.slice(ITEM.length), response);
  if (request.method !== 'POST') return list(automations, new URLSearchParams(query), response);
  const body = shelves.valid(await bodyOf(request));
  if (body === undefined) {
    send(response, 422, {});
    return;
  }
  await create(automations, body, developer, response);
}

async function get(automations: Items, id: string, response: ServerResponse): Promise<void> {
  const found = await automations.findOne({ _id: new UUID(id) });
  if (found === null) send(response, 404, {});
  else send(response, 200, jsonOf(found));
}

async function list(automations: Items, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 25)];
  const pipeline = pageOf((page - 1) * limit, limit);
  const [found] = await automations.aggregate<{ number: number; data: readonly StoredItem[] }>(pipeline).toArray();
  const data = (found?.data ?? []).map(({ _id, title, price }) => ({ id: idOf(_id), title, price: price / 100 }));
  send(response, 200, { data, total: found?.number ?? 0, page });
}

/** The highest number, and the page that lies so far below it. */
function pageOf(skip: number, limit: number): Document[] {
  const range = [
    { $lte: ['$number', { $subtract: ['$$highest', skip] }] },
    { $gt: ['$number', { $subtract: ['$$highest', skip + limit] }] },
  ];
  const page = [
    { $match: { $expr: { $and: range } } },
    { $sort: { number: -1 } },
    { $project: { title: 1, price: 1 } },
  ];
  return [
    { $sort: { number: -1 } },
    { $limit: 1 },
    { $project: { number: 1 } },
    { $lookup: { from: 'automations', let: { highest: '$number' }, pipeline: page, as: 'data' } },
  ];
}

async function create(automations: Items, body: Body, developer: string, response: ServerResponse): Promise<void> {
  const { title, description, price, category_id } = body;
  const now = new Date();
  const item = {
    _id: new UUID(randomUUID()),
    title,
    description,
    price: Math.round(price * 100),
    currency: 'USD',
    category_id,
    developer_id: developer,
    created_at: now,
    updated_at: now,
  };
  await automations.insertOne(item);
  response.setHeader('Location', ITEM + idOf(item._id));
  send(response, 201, jsonOf(item));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString());
}

function idOf(id: Binary): string {
  return id.toUUID().toHexString();
}

function jsonOf({ _id, price, currency, ...rest }: StoredItem): object {
  const major = inMajorUnits({ minorUnits: minorUnits(price), currency: currency as Currency });
  return { id: idOf(_id), ...rest, price: major, currency };
}

function send(response: ServerResponse, status: number, value: object): void {
  const json = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}
