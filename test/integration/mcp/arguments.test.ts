import { expect } from 'chai';
import type { Client } from '@modelcontextprotocol/client';
import { call, connect, openMarket, type Answer, type Market } from './agent.js';

const DRAFT = { title: 'Invoices', description: 'Reads invoices.', price: 3.5, category_id: 'email' };
/** A value of each type of JSON. */
const VALUES = { string: 'x', number: 1, boolean: true, array: [1], object: { a: 1 } } as const;

type Type = keyof typeof VALUES | 'integer';
const LEFT_OUT = 'as if left out';

/** What null and an empty text mean for an argument: that it is left out, or this mistake. */
interface Row {
  readonly argument: string;
  readonly type: Type;
  readonly ofNull: string;
  readonly ofEmpty: string;
  /** Begins what is said of each other type. */
  readonly ofWrongType: string;
}

const optional = (argument: string, type: Type): Row => ({
  argument,
  type,
  ofNull: LEFT_OUT,
  ofEmpty: LEFT_OUT,
  ofWrongType: `wrong-type must be ${type === 'integer' ? 'an' : 'a'} ${type}, not a`,
});
const ofDraft = (argument: string, ofEmpty: string): Row => ({
  argument,
  type: 'string',
  ofNull: 'required is required',
  ofEmpty,
  ofWrongType: 'wrong-type must be a string',
});
const NO_KEY = 'idempotency_key must be 1 to 255 visible ASCII characters except " and \\.';

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  search_automations: [
    optional('page', 'integer'),
    optional('limit', 'integer'),
    optional('category', 'string'),
    optional('platform', 'string'),
    optional('q', 'string'),
    optional('sort', 'string'),
    optional('price_min', 'number'),
    optional('price_max', 'number'),
  ],
  get_automation: [
    { ...optional('id', 'string'), ofNull: 'required is required', ofEmpty: 'There is no automation with this id.' },
    optional('description_from', 'integer'),
  ],
  get_automation_file: [
    { ...optional('id', 'string'), ofNull: 'required is required', ofEmpty: 'There is no automation with this id.' },
    optional('from', 'integer'),
  ],
  list_categories: [optional('page', 'integer'), optional('limit', 'integer')],
  create_automation: [
    ofDraft('title', 'too-short must have 1 to 200 characters'),
    ofDraft('description', 'too-short must have 1 to 10,000 characters'),
    {
      argument: 'price',
      type: 'number',
      ofNull: 'required is required',
      ofEmpty: 'wrong-type must be a number, not a string',
      ofWrongType: 'wrong-type must be a number',
    },
    ofDraft('category_id', 'unknown-value must be the id of a category; the category list has them all'),
    { ...optional('url', 'string'), ofWrongType: 'wrong-type must be a string' },
    { ...optional('license', 'string'), ofWrongType: 'wrong-type must be a string' },
    { ...optional('file', 'object'), ofWrongType: 'wrong-type must be a file' },
    {
      argument: 'idempotency_key',
      type: 'string',
      ofNull: NO_KEY,
      ofEmpty: NO_KEY,
      ofWrongType: 'idempotency_key must be a string, not a',
    },
  ],
};

describe('The arguments of the tools for agents', () => {
  let market: Market;
  let agent: Client;
  /** A call of each tool that succeeds. */
  let usual: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  before(async () => {
    market = await openMarket();
    agent = await connect(market.url, await market.key());
    const { json } = await call(agent, 'create_automation', { ...DRAFT, idempotency_key: 'first' });
    const sent = { ...DRAFT, idempotency_key: 'second' };
    await call(agent, 'create_automation', sent);
    const gift = { ...DRAFT, price: 0, file: { name: 'a.txt', text: 'a' }, idempotency_key: 'third' };
    const { json: withFile } = await call(agent, 'create_automation', gift);
    usual = {
      search_automations: {},
      get_automation: { id: json['id'] },
      get_automation_file: { id: withFile['id'] },
      list_categories: {},
      create_automation: sent,
    };
  });
  after(async () => {
    await agent.close();
    await market.close();
  });

  it('are those of the table, and an unknown one is named with those that are allowed', async () => {
    const { tools } = await agent.listTools();
    for (const { name, inputSchema } of tools) {
      const names = (TABLE[name] ?? []).map(({ argument }) => argument);
      expect(Object.keys(inputSchema.properties ?? {}), name).to.deep.equal(names);
      const answer = await call(agent, name, { ...usual[name], colour: 1 });
      const allowed = names.filter((one) => one !== 'idempotency_key').join(', ');
      expect(mistakeOf(answer, 'colour'))
        .to.match(/^unknown-\w+ /)
        .and.to.include(`is unknown; allowed are ${allowed}`);
    }
    expect(tools.map(({ name }) => name)).to.have.members(Object.keys(TABLE));
  });

  for (const [tool, rows] of Object.entries(TABLE))
    for (const { argument, type, ofNull, ofEmpty, ofWrongType } of rows) {
      const expectAnswer = async (value: unknown, expected: string) => {
        const answer = await call(agent, tool, { ...usual[tool], [argument]: value });
        if (expected !== LEFT_OUT) expect(mistakeOf(answer, argument)).to.equal(expected);
        else expect(answer).to.deep.equal(await call(agent, tool, usual[tool]));
      };
      it(`${tool}: null for ${argument} is ${ofNull === LEFT_OUT ? LEFT_OUT : 'a mistake'}`, () =>
        expectAnswer(null, ofNull));
      it(`${tool}: an empty text for ${argument} is ${ofEmpty === LEFT_OUT ? LEFT_OUT : 'a mistake'}`, () =>
        expectAnswer('', ofEmpty));
      it(`${tool}: another type for ${argument} is a mistake that names the type`, async () => {
        for (const [other, value] of Object.entries(VALUES)) {
          if (other === (type === 'integer' ? 'number' : type)) continue;
          const answer = await call(agent, tool, { ...usual[tool], [argument]: value });
          expect(answer.isError, other).to.equal(true);
          expect(mistakeOf(answer, argument), other).to.include(ofWrongType);
        }
      });
    }

  it('are at most 50, and of the mistakes in them the first 10 are named', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`unknown_${n}`, n]));
    for (const [tool, sent] of Object.entries(usual)) {
      const most = await call(agent, tool, { ...many(50 - Object.keys(sent).length), ...sent });
      expect(most.json['errors'], tool).to.have.length(10);
      const { isError, json } = await call(agent, tool, { ...many(51 - Object.keys(sent).length), ...sent });
      expect(isError).to.equal(true);
      expect(json).to.include({ detail: 'A call must have at most 50 arguments; this one has 51.' });
    }
  });
});

/** Returns what is said of an argument; without a word of it, the detail of the whole problem. */
function mistakeOf({ json }: Answer, argument: string): string {
  const errors = (json['errors'] ?? []) as readonly Readonly<Record<string, string>>[];
  const found = errors.find(({ parameter, pointer }) => (parameter ?? pointer?.slice(1)) === argument);
  return found === undefined ? String(json['detail']) : `${found['code']} ${found['detail']}`;
}
