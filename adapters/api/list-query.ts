import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ListRequest, UncheckedListRequest } from '../../application/list-request.js';
import type { UseCases } from '../../application/core.js';
import { decimalsOf, type Currency } from '../../domain/currency.js';
import { DomainError, type FieldError } from '../../domain/errors.js';
import type { ProblemField } from '../edge/problems/problem.js';
import { SEARCH_BOUNDS } from '../../domain/search-terms.js';
import { invalidQuery, parseQuery } from './query-string.js';
import { listQuerySchema } from './schemas.js';

/** Our own schemas are not checked at every start; a test does that once. */
const OPTIONS = { allErrors: true, strict: true, meta: false, validateSchema: false } as const;

const INTEGER = /^[1-9][0-9]{0,8}$/;

type Parameters = ReturnType<typeof listQuerySchema>['properties'];
type Parameter = keyof Parameters;
type Query = Partial<Record<Parameter, string | number>>;
type Rule = Pick<ProblemField, 'code' | 'detail'>;

/**
 * Returns the parser of the list's parameters, which reports every mistake at once. It compiles the schema at the first
 * request: that takes longer than the rest of a start.
 */
export function listQueryParser(
  marketplace: UseCases['marketplace'],
  search: boolean,
): (querystring: string) => ListRequest {
  const { currency } = marketplace;
  const schema = listQuerySchema(currency, search);
  const names = Object.keys(schema.properties) as Parameter[];
  const toNumbers = numbersIn(currency);
  const rules = rulesOf(schema.properties, currency);
  const malformedError = ({ instancePath }: ErrorObject): ProblemField => {
    const parameter = instancePath.slice(1);
    return { parameter, ...(rules[parameter] as Rule) };
  };
  let validate: ValidateFunction | undefined;
  return (querystring) => {
    if (querystring === '') return {};
    validate ??= new Ajv2020(OPTIONS).compile(schema);
    const { values, errors } = parseQuery(querystring, names);
    const query = toNumbers(values);
    const request = requestOf(query);
    if (validate(query) && errors.length === 0) return request as ListRequest;
    const malformed = (validate.errors ?? []).map(malformedError);
    throw invalidQuery(withOthers([...errors, ...malformed], marketplace.reviewListRequest(request)));
  };
}

/** Returns the mistakes, and those of the core about other parameters. */
function withOthers(mistakes: readonly ProblemField[], found: readonly FieldError[]): readonly ProblemField[] {
  const named = new Set(mistakes.map(({ parameter }) => parameter));
  return [...mistakes, ...found.map(parameterError).filter(({ parameter }) => !named.has(parameter))];
}

/** Returns the error of the core about a request as one about the query; any other error unchanged. */
export function namingParameters(error: unknown): unknown {
  const isInvalid = error instanceof DomainError && error.kind === 'invalid';
  return isInvalid ? invalidQuery(error.fields.map(parameterError)) : error;
}

/** Returns what converts plain digits, and nothing else: `0x10`, `1e3` and `+1` stay text, and fail. */
function numbersIn(currency: Currency): (values: Partial<Record<Parameter, string>>) => Query {
  const decimals = decimalsOf(currency);
  const fraction = decimals === 0 ? '' : `(?:\\.[0-9]{1,${decimals}})?`;
  const price = new RegExp(`^(?:0|[1-9][0-9]{0,8})${fraction}$`);
  const plain: Readonly<Record<string, RegExp>> = { page: INTEGER, limit: INTEGER, price_min: price, price_max: price };
  return (values) => {
    const query: Query = {};
    for (const [name, text] of Object.entries(values) as [Parameter, string][])
      query[name] = plain[name]?.test(text) === true ? Number(text) : text;
    return query;
  };
}

/** Returns what each parameter may be that the schema can refuse. */
function rulesOf(
  { page, limit, platform, sort, price_min }: Parameters,
  currency: Currency,
): Readonly<Record<string, Rule>> {
  const integer = ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }): Rule => ({
    code: 'out-of-range',
    detail: `must be an integer from ${minimum} to ${maximum}, in plain digits`,
  });
  const oneOf = (values: readonly string[]): Rule => ({
    code: 'unknown-value',
    detail: `must be one of ${values.join(', ')}`,
  });
  const decimals = decimalsOf(currency);
  const exact = `must be from 0 to ${price_min.maximum} with at most ${decimals} decimals, in plain digits`;
  const price: Rule = decimals === 0 ? integer(price_min) : { code: 'out-of-range', detail: exact };
  return {
    page: integer(page),
    limit: integer(limit),
    price_min: price,
    price_max: price,
    platform: oneOf(platform.enum),
    sort: oneOf(sort.enum),
    q: { code: 'too-long', detail: `must have 1 to ${SEARCH_BOUNDS.maxLength} characters` },
  };
}

function requestOf({ price_min, price_max, ...query }: Query): UncheckedListRequest {
  return { ...query, priceMin: price_min, priceMax: price_max };
}

/** Returns a mistake by the name of its parameter on the wire. */
export function parameterError({ field, code, detail }: FieldError): ProblemField {
  const parameter = field === 'priceMin' ? 'price_min' : field === 'priceMax' ? 'price_max' : field;
  return { parameter, code, detail: detail.replace('the highest price', 'price_max') };
}
