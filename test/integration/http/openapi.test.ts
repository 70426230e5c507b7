import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import type { OpenApiDocument, Operation } from '../../../adapters/api/openapi/model.js';
import { PROBLEMS } from '../../../adapters/edge/problems/table.js';
import { parseCurrency } from '../../../domain/currency.js';
import { ajvOver } from '../../support/openapi-responses-check.js';

const documentIn = (currency: string, rest = {}) =>
  openApiDocument({ currency: parseCurrency(currency), version: '1.2.3', ...rest });

const READ = [200, 304, 400, 401, 403, 406, 408, 412, 414, 417, 429, 431, 500, 503];
const CREATE = [201, 400, 401, 403, 406, 408, 409, 413, 414, 415, 417, 422, 429, 431, 500, 503];
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  'GET /automations listAutomations': READ,
  'POST /automations createAutomation': CREATE,
  'GET /automations/{id} readAutomation': [...READ, 404],
  'GET /categories listCategories': READ,
};

describe('The OpenAPI document', () => {
  for (const currency of ['USD', 'JPY', 'KWD'])
    it(`is valid OpenAPI 3.1 with prices in ${currency}`, async () => {
      const document = documentIn(currency, { mountPath: '/market', publicUrl: 'https://market.example' });
      const { valid, errors } = await new Validator().validate({ ...document });
      expect(valid, JSON.stringify(errors)).to.equal(true);
    });

  for (const currency of ['USD', 'JPY', 'KWD'])
    it(`has only examples that its own schemas allow, with prices in ${currency}`, () => {
      const document = documentIn(currency);
      const ajv = ajvOver(document, currency);
      const found = Array.from(exampled(document, '#'));
      expect(found.length).to.be.greaterThan(40);
      for (const { pointer, examples } of found) {
        const valid = ajv.getSchema(`openapi${pointer}/schema`);
        for (const [name, { value }] of Object.entries(examples))
          expect(valid?.(value), `${pointer} ${name}: ${ajv.errorsText(valid?.errors)}`).to.equal(true);
      }
    });

  it('gives an example wherever there is a value', () => {
    const bare = Array.from(exampled(documentIn('USD'), '#')).filter(
      ({ examples }) => Object.keys(examples).length === 0,
    );
    expect(bare).to.deep.equal([]);
  });

  it('has every endpoint, under a name of its own, with every status of the contract', () => {
    const found = Object.fromEntries(
      operations(documentIn('USD')).map(({ method, path, operation }) => [
        `${method.toUpperCase()} ${path} ${operation.operationId}`,
        Object.keys(operation.responses).map(Number),
      ]),
    );
    expect(Object.keys(found)).to.have.members(Object.keys(STATUSES));
    for (const [name, statuses] of Object.entries(STATUSES)) expect(found[name], name).to.have.members([...statuses]);
  });

  for (const currency of ['USD', 'JPY', 'KWD'])
    it(
      'has schemas that a strict validator compiles which knows no more than the standard does, ' +
        `with prices in ${currency}`,
      () => {
        const ajv = new Ajv2020({ strict: true });
        formats.default(ajv);
        const { components } = documentIn(currency);
        ajv.addKeyword('components').addSchema({ components }, 'document');
        for (const name of Object.keys(components.schemas))
          expect(ajv.getSchema(`document#/components/schemas/${name}`), name).to.be.a('function');
      },
    );

  it('has the parameters of the list that exist, in lists alone', () => {
    const namesIn = (rest: object, path: string) =>
      documentIn('USD', rest).paths[path]?.get?.parameters.map(({ $ref }) => $ref.split('/').at(-1));
    const [paging, others, headers] = [
      ['page', 'limit', 'category', 'platform', 'after'],
      ['sort', 'price_min', 'price_max'],
      ['If-None-Match', 'X-Request-Id'],
    ];
    expect(namesIn({}, '/automations')).to.deep.equal([...paging, 'q', ...others, ...headers]);
    expect(namesIn({ search: false }, '/automations')).to.deep.equal([...paging, ...others, ...headers]);
    expect(namesIn({}, '/categories')).to.deep.equal(headers);
  });

  it('without words has no word of them', async () => {
    const without = documentIn('USD', { search: false });
    expect(without.components.parameters['sort']?.schema['enum']).to.deep.equal(['newest', 'price', '-price']);
    expect(documentIn('USD').components.parameters['sort']?.schema['enum']).to.include('best');
    expect(JSON.stringify({ ...without, components: without.components.parameters })).to.not.match(/`q`|best|## Words/);
    expect((await new Validator().validate({ ...without })).valid).to.equal(true);
  });

  it('says that the Location of a replayed create returns 404 when the automation was withdrawn', () => {
    const { info, components } = documentIn('USD');
    expect(info.description.replace(/\s+/g, ' ')).to.include(
      'If the automation was withdrawn meanwhile, a repeated request still returns 201 with its last content, ' +
        'since the create was a success, but its `Location` returns 404.',
    );
    expect(JSON.stringify(components.headers['Location'])).to.include('404');
  });

  it('has patterns that mean the same with and without the flag u, in RE2 and in PCRE', () => {
    const patterns = Array.from(
      JSON.stringify(documentIn('USD')).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
      ([, pattern = '']) => JSON.parse(pattern) as string,
    );
    expect(patterns.length).to.be.greaterThan(10);
    const portable = /^(?:[^\\\0\n\r\u2028\u2029]|\\(?:[^\w]|[tn]|x[0-9A-F]{2}))*$/;
    expect(patterns.filter((pattern) => !portable.test(pattern) || /\(\?[^:]/.test(pattern))).to.deep.equal([]);
    for (const pattern of patterns.filter((text) => text.startsWith('^[^')))
      for (const text of ['😀 emoji', 'नमस्ते', '\u{1fffe}'])
        expect([new RegExp(pattern).test(text), new RegExp(pattern, 'u').test(text)]).to.deep.equal([true, true]);
  });

  it('has no component that nothing refers to', () => {
    const document = documentIn('USD');
    const text = JSON.stringify(document);
    for (const [section, named] of Object.entries({ ...document.components }))
      if (section !== 'securitySchemes')
        for (const name of Object.keys(named)) expect(text).to.include(`"#/components/${section}/${name}"`);
  });

  it('refers to nothing it lacks, and has an example of every problem of each operation', () => {
    const document = documentIn('USD');
    const text = JSON.stringify(document);
    for (const [, section, name] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(document.components[section as keyof OpenApiDocument['components']], section).to.have.property(
        String(name),
      );
    const answered = Object.keys(PROBLEMS).filter(
      (slug) => slug !== 'method-not-allowed' && slug !== 'cross-site-request',
    );
    for (const slug of answered) expect(text).to.include(`"type":"/problems/${slug}"`);
  });

  it('names the canonical base, where the service is mounted, and the others in its description', () => {
    const urls = (rest: object) => documentIn('USD', rest).servers.map(({ url }) => url);
    expect(urls({})).to.deep.equal(['/api']);
    expect(urls({ mountPath: '/market', publicUrl: 'https://a.example' })).to.deep.equal([
      'https://a.example/market/api',
    ]);
    for (const base of ['/v1', '/api/v1', '/v1/api'])
      expect(documentIn('USD').info['description']).to.include(`\`${base}\``);
  });

  it('has names for all objects, and closes none that may grow', () => {
    const { schemas } = documentIn('USD').components;
    const nested = Array.from(JSON.stringify(schemas).matchAll(/"properties":/g));
    expect(nested).to.have.length(Object.keys(schemas).length);
    const closed = Object.keys(schemas).filter((name) => 'additionalProperties' in (schemas[name] ?? {}));
    expect(closed).to.deep.equal(['CreateAutomation', 'NewFile']);
  });

  it('has the codes of problems and of field errors as enums', () => {
    const codes = (name: string) => documentIn('USD').components.schemas[name]?.['properties'] as Coded;
    expect(codes('Problem').code.enum).to.deep.equal(Object.keys(PROBLEMS));
    expect(codes('FieldError').code.enum).to.include.members(['required', 'too-long', 'unknown-parameter']);
  });

  it('carries the version that it is given, and the licence', () => {
    expect(documentIn('USD').info).to.deep.include({ version: '1.2.3', license: { name: 'MIT', identifier: 'MIT' } });
  });
});

interface Coded {
  readonly code: { readonly enum: readonly string[] };
}

function operations({ paths }: OpenApiDocument): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

interface Exampled {
  readonly pointer: string;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Every place of the document that has a schema, which is where examples belong. */
function* exampled(value: unknown, pointer: string): Generator<Exampled> {
  if (typeof value !== 'object' || value === null) return;
  if ('schema' in value)
    yield { pointer, examples: 'examples' in value ? (value.examples as Exampled['examples']) : {} };
  for (const [name, member] of Object.entries(value)) yield* exampled(member, `${pointer}/${token(name)}`);
}

/** A reference token of a JSON Pointer in a URI fragment (RFC 6901, section 6). */
function token(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
