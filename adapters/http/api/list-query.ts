import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ListRequest } from '../../../application/marketplace.js';
import { Problem, truncate, type ProblemField } from '../problems/problem.js';
import { listQuerySchema } from './schemas.js';

const INTEGER = /^[1-9][0-9]{0,8}$/;

/** Our own schemas are not checked at every start; a test does that once. */
const OPTIONS = { allErrors: true, strict: true, meta: false, validateSchema: false } as const;

/**
 * Returns the parser of the list's parameters. It compiles the schema at the first request: that takes longer than the
 * rest of a start.
 */
export function listQueryParser(): (querystring: string) => ListRequest {
  let validate: ValidateFunction<ListRequest> | undefined;
  return (querystring) => {
    if (querystring === '') return {};
    validate ??= new Ajv2020(OPTIONS).compile<ListRequest>(listQuerySchema);
    const { values, errors } = parseQuery(querystring, ['page', 'limit', 'category']);
    const { page, limit, category } = values;
    const query: unknown = {
      ...(page !== undefined && { page: integer(page) }),
      ...(limit !== undefined && { limit: integer(limit) }),
      ...(category !== undefined && { category }),
    };
    const isValid = validate(query);
    refuse(isValid ? errors : [...errors, ...(validate.errors ?? []).map(errorOf)]);
    return query as ListRequest;
  };
}

/** Converts nothing else: `0x10`, `1e3` and `+1` stay text, and fail. */
function integer(text: string): number | string {
  return INTEGER.test(text) ? Number(text) : text;
}

function errorOf({ instancePath }: ErrorObject): ProblemField {
  const parameter = instancePath.slice(1);
  const { minimum, maximum } = listQuerySchema.properties[parameter === 'page' ? 'page' : 'limit'];
  return {
    parameter,
    code: 'out-of-range',
    detail: `must be an integer from ${minimum} to ${maximum}, in plain digits`,
  };
}

/** The parameters of a query, each at most once, and every mistake in it. */
interface Query<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  readonly errors: readonly ProblemField[];
}

/**
 * Decodes strictly: bad percent-encoding, bytes that are not UTF-8, and repeated, empty and unknown parameters are
 * mistakes.
 */
function parseQuery<Name extends string>(querystring: string, names: readonly Name[]): Query<Name> {
  const values: Partial<Record<Name, string>> = {};
  const errors: ProblemField[] = [];
  for (const pair of querystring.split('&').filter(Boolean)) {
    const equals = pair.indexOf('=');
    const raw = equals < 0 ? pair : pair.slice(0, equals);
    const parameter = decode(raw);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const known = names.find((name) => name === parameter);
    const report = (code: string, detail: string) =>
      errors.push({ parameter: truncate(parameter ?? raw), code, detail });
    if (parameter === undefined || value === undefined) report('bad-encoding', 'must be percent-encoded UTF-8');
    else if (known === undefined) report('unknown-parameter', unknown(names));
    else if (values[known] !== undefined) report('repeated', 'must be sent once');
    else if (value === '') report('empty', 'must have a value, or be left out');
    else values[known] = value;
  }
  return { values, errors };
}

/** For paths that take no parameters. @throws Problem `invalid-query` when there are any. */
export function refuseQuery(querystring: string): void {
  if (querystring !== '') refuse(parseQuery(querystring, []).errors);
}

/** @throws Problem `invalid-query` when there are mistakes. */
function refuse(errors: readonly ProblemField[]): void {
  if (errors.length > 0)
    throw new Problem('invalid-query', 'The query has parameters that are not allowed.', { errors });
}

function unknown(names: readonly string[]): string {
  return names.length === 0
    ? 'is unknown; this path takes no parameters'
    : `is unknown; allowed are ${names.join(', ')}`;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
