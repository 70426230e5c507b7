import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Header, OpenApiDocument, Response } from '../../adapters/api/openapi/model.js';
import { decimalsOf, parseCurrency } from '../../domain/currency.js';
import { hasAtMost } from '../../domain/price.js';

/** What came; an answer of fetch is one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** Checks one answer and reports all that is wrong with it. */
export type Check = (answer: Answer, body: string, method: string, report: Report) => void;
type Report = (what: string) => void;

/** Headers that belong to the connection, or are checked with the body. */
const EXEMPT = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-type',
  'strict-transport-security',
];
const PROBLEM = 'application/problem+json';

/** Returns a check for each response of the document, by its name, and for those that it describes in prose. */
export function compileResponses(described: OpenApiDocument, currency: string): ReadonlyMap<string, Check> {
  const document = withOtherMethods(described);
  const ajv = ajvOver(document, currency);
  return new Map(
    Object.entries(document.components.responses).map(([name, response]): [string, Check] => {
      const headers = headersCheck(response, document, ajv);
      const body = bodyCheck(response, ajv);
      return [name, (...about) => [headers, body].forEach((check) => check(...about))];
    }),
  );
}

/** Returns the document with the responses to OPTIONS, and to methods that a path does not take. */
function withOtherMethods(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const { headers, content } = components.responses['NotFound'] as Required<Response>;
  const listing = { description: '', headers: { ...headers, Allow: { $ref: '#/components/headers/Allow' } } };
  const problem = { ...content[PROBLEM], examples: { 'method-not-allowed': NO_EXAMPLE } } as Content;
  const responses = {
    Methods: listing,
    MethodNotAllowed: { ...listing, content: { [PROBLEM]: problem } },
  };
  const allow = { description: '', required: true, schema: { type: 'string', pattern: '^GET, ' }, examples: {} };
  return {
    ...document,
    components: {
      ...components,
      responses: { ...components.responses, ...responses },
      headers: { ...components.headers, Allow: allow },
    },
  };
}

const NO_EXAMPLE = { value: undefined };
type Content = NonNullable<Response['content']>[string];

/**
 * Returns ajv with the document as its root schema, told what the document does not say: how many decimals a price has,
 * and that today there are no other members.
 */
export function ajvOver(document: OpenApiDocument, currency: string): Ajv2020 {
  const decimals = decimalsOf(parseCurrency(currency));
  const price = { type: 'number', validate: (value: number) => hasAtMost(decimals, value) } as const;
  const ajv = new Ajv2020({ allErrors: true, strict: true, meta: false, validateSchema: false, formats: { price } });
  formats.default(ajv, ['uuid', 'date-time', 'uri-reference']);
  ajv.addVocabulary(Object.keys(document)).addSchema(exact(document), 'openapi');
  return ajv;
}

function exact(document: OpenApiDocument): OpenApiDocument {
  const more = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (name === 'price') return { ...value, format: 'price' };
    return 'properties' in value ? { ...value, additionalProperties: false } : value;
  };
  return JSON.parse(JSON.stringify(document), more) as OpenApiDocument;
}

function headersCheck(response: Response, document: OpenApiDocument, ajv: Ajv2020): Check {
  const documented = Object.entries(response.headers).map(([name, { $ref }]) => {
    const { required, schema } = document.components.headers[$ref.slice('#/components/headers/'.length)] as Header;
    return { name, required, isInteger: schema['type'] === 'integer', valid: compiled(ajv, `${$ref}/schema`) };
  });
  const known = new Set([...EXEMPT, ...documented.map(({ name }) => name.toLowerCase())]);
  return ({ headers }, _body, _method, report) => {
    for (const name of headers.keys()) if (!known.has(name)) report(`the header ${name} is not documented`);
    for (const { name, required, isInteger, valid } of documented) {
      const value = headers.get(name);
      if (value === null && required) report(`the header ${name} is missing`);
      else if (value !== null && !valid(isInteger ? integer(value) : value)) report(errorsOf(valid, name, ajv));
    }
  };
}

function bodyCheck({ content = {} }: Response, ajv: Ajv2020): Check {
  const types = new Map(
    Object.entries(content).map(([type, { schema, examples }]) => [
      type,
      { valid: compiled(ajv, schema.$ref), slugs: Object.keys(examples) },
    ]),
  );
  return (answer, body, method, report) => {
    const type = answer.headers.get('Content-Type')?.replace(/; charset=utf-8$/, '');
    const expected = types.get(type ?? '');
    const isBare = method === 'HEAD' || types.size === 0;
    if (expected === undefined && (type !== undefined || types.size > 0)) report(`the content type is ${String(type)}`);
    else if (isBare && body !== '') report('there is a body');
    if (isBare || expected === undefined) return;
    const value = parsed(body);
    if (!expected.valid(value)) report(errorsOf(expected.valid, 'body', ajv));
    else if (type === PROBLEM) checkProblem(value as ProblemBody, answer, expected.slugs, report);
  };
}

interface ProblemBody {
  readonly type: string;
  readonly status: number;
  readonly instance: string;
}

/** The examples of a refusal are named after its problem types, and there are no others. */
function checkProblem(problem: ProblemBody, answer: Answer, slugs: readonly string[], report: Report): void {
  const slug = problem.type.slice(problem.type.lastIndexOf('/') + 1);
  if (!slugs.includes(slug)) report(`the problem ${slug} is not documented here`);
  if (problem.status !== answer.status) report('the status in the body is another');
  if (problem.instance !== answer.headers.get('X-Request-Id')) report('instance is not the request id');
}

function compiled(ajv: Ajv2020, ref: string): ValidateFunction {
  const valid = ajv.getSchema(`openapi${ref}`);
  if (valid === undefined) throw new Error(`the document has no ${ref}`);
  return valid as ValidateFunction;
}

function errorsOf({ errors }: ValidateFunction, what: string, ajv: Ajv2020): string {
  return ajv.errorsText(errors, { dataVar: what });
}

function integer(value: string): number | string {
  return /^[0-9]+$/.test(value) ? Number(value) : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
