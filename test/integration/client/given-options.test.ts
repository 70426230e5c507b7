import { expect } from 'chai';
import { createServer } from 'node:http';
import { createClient, type MarketplaceClient } from '../../../adapters/client/index.js';
import { listening, type Listening } from '../../support/socket.js';
import { DRAFT, failure, LIST, WHOLE } from './answers.js';

/** A call with options from a program without types. */
type Call = (client: MarketplaceClient, options: never) => Promise<unknown>;

interface Row {
  readonly options: readonly string[];
  readonly call: Call;
}

const { id } = WHOLE;
const QUERY = ['category', 'platform', 'q', 'sort', 'price_min', 'price_max'];

/** Every option of the client, by the call that takes it. */
const TABLE: Readonly<Record<string, Row>> = {
  createClient: {
    options: ['baseUrl', 'key', 'token', 'fetch', 'retries', 'timeout'],
    call: (_, options: object) => createClient({ baseUrl, ...options }).automations.page(),
  },
  'automations.list, the query': {
    options: QUERY,
    call: (client, query) => all(client.automations.list(query)),
  },
  'automations.list': { options: ['signal'], call: (client, options) => all(client.automations.list({}, options)) },
  'automations.page, the query': {
    options: [...QUERY, 'page', 'limit', 'after'],
    call: (client, query) => client.automations.page(query),
  },
  'automations.page': { options: ['signal'], call: (client, options) => client.automations.page({}, options) },
  'automations.get': {
    options: ['signal', 'ifNoneMatch'],
    call: (client, options) => client.automations.get(id, options),
  },
  'automations.create': {
    options: ['signal', 'idempotencyKey'],
    call: (client, options) => client.automations.create(DRAFT, options),
  },
  'categories.list': { options: ['signal'], call: (client, options) => client.categories.list(options) },
};

const TYPES: Readonly<Record<string, string>> = {
  token: 'a function',
  fetch: 'a function',
  retries: 'a number',
  timeout: 'a number',
  price_min: 'a number',
  price_max: 'a number',
  page: 'a number',
  limit: 'a number',
  signal: 'an AbortSignal',
};
/** A value of each type, by its name in an error. */
const VALUES = { 'a string': 'x', 'a number': 7, 'a boolean': true, 'an array': [], 'an object': {} };

let baseUrl = '';

describe('The options of each call of the client', () => {
  let server: Listening;
  let client: MarketplaceClient;
  let requests: string[] = [];
  before(async () => {
    server = await listening(
      createServer((request, response) => {
        const { method = '', url = '', headers } = request;
        const credentials = [headers.authorization, headers['if-none-match']].join(' ');
        requests.push(`${method} ${url} ${credentials}`);
        const body = method === 'POST' || url.includes(id) ? WHOLE : LIST;
        response.writeHead(method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(body));
      }),
    );
    baseUrl = server.url;
    client = createClient({ baseUrl, key: 'key' });
  });
  beforeEach(() => (requests = []));
  after(() => server.close());

  for (const [name, { options, call }] of Object.entries(TABLE)) {
    const send = async (given: unknown) => call(client, given as never);
    const owner = name.replace(/,.*/, '');

    for (const option of options.filter((one) => one !== 'baseUrl'))
      it(`${name}: ${option} is left out when it is null or an empty text`, async () => {
        for (const value of [undefined, null, '']) await send({ [option]: value });
        expect(requests).to.have.length(3);
        expect(new Set(requests).size).to.equal(1);
      });

    for (const option of options)
      it(`${name}: ${option} of another type is refused by the name of the type, and nothing is sent`, async () => {
        const type = TYPES[option] ?? 'a string';
        for (const [other, value] of Object.entries(VALUES)) {
          if (other === type) continue;
          const error = await failure(send({ [option]: value }));
          expect(error).to.be.instanceOf(TypeError);
          expect(error.message).to.equal(`${option} must be ${type}, not ${other}`);
        }
        expect(requests).to.deep.equal([]);
      });

    it(`${name}: an unknown option is refused by its name, with those that are known`, async () => {
      const error = await failure(send({ colour: 1 }));
      expect(error.message).to.equal(`${owner} has no option colour; it has ${options.join(', ')}`);
      expect(requests).to.deep.equal([]);
    });

    it(`${name}: options may be null, and nothing but an object`, async () => {
      if (owner !== 'createClient') await send(null);
      const error = await failure(owner === 'createClient' ? made('x') : send('x'));
      expect(error.message).to.include(
        `${owner} takes its options as an object, not as a string; it has ${options[0]}`,
      );
    });
  }

  it('the id of an automation that is none is refused by its name, and nothing is sent', async () => {
    const { automations } = client;
    for (const value of [undefined, null, '', 5, {}])
      expect((await failure(automations.get(value as never))).message).to.equal('id must be a string, not empty');
    expect(requests).to.deep.equal([]);
  });
});

async function made(options: unknown): Promise<unknown> {
  return createClient(options as never);
}

async function all(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}
