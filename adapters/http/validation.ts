import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { decimalsOf, type Currency } from '../../domain/currency.js';
import type { ListRequest } from '../../application/marketplace.js';
import type { FieldError } from '../../domain/errors.js';
import { hasAtMost } from '../../domain/price.js';
import { fieldOfDraft } from './errors.js';
import { Problem, shortened, type ProblemField } from './problems.js';
import { parseQuery, refuse } from './query.js';
import type { CreateAutomationJson } from './representations.js';
import { createAutomationSchema, listQuerySchema, PRICE_FORMAT } from './schemas.js';

/** Members beyond the known four that are named one by one; a body with more is refused as a whole. */
const MOST_UNKNOWN = 20;
const INTEGER = /^[1-9][0-9]{0,8}$/;

/** Our own schemas are not checked at every start; a test does that once. */
const OPTIONS = { allErrors: true, strict: true, meta: false, validateSchema: false } as const;

/** ajv, told what a price is: `multipleOf: 0.01` would refuse one valid price in nine. */
export function newAjv(currency: Currency): Ajv2020 {
  const decimals = decimalsOf(currency);
  return new Ajv2020({
    ...OPTIONS,
    formats: {
      [PRICE_FORMAT]: { type: 'number', validate: (value: number) => hasAtMost(decimals, value) },
    },
  });
}

/** Compiled when it is first needed: compiling takes longer than all the rest of a start. */
const listQueryValidator = once(() => new Ajv2020(OPTIONS).compile<ListRequest>(listQuerySchema));

/** The parameters of the list as numbers and text. @throws Problem `invalid-query` with every mistake. */
export function readListQuery(querystring: string): ListRequest {
  const { values, errors } = parseQuery(querystring, ['page', 'limit', 'category']);
  const { page, limit, ...rest } = values;
  const wanted: unknown = { ...rest, ...(page && { page: integer(page) }), ...(limit && { limit: integer(limit) }) };
  const validate = listQueryValidator();
  const valid = validate(wanted);
  refuse([...errors, ...(validate.errors ?? []).map(parameterError)]);
  return valid ? wanted : {};
}

/** For what takes no parameters. @throws Problem `invalid-query` when there are any. */
export function refuseQuery(querystring: string): void {
  if (querystring !== '') refuse(parseQuery(querystring, []).errors);
}

/** Never coerced otherwise: `0x10`, `1e3` and `+1` stay text, and fail. */
function integer(text: string): number | string {
  return INTEGER.test(text) ? Number(text) : text;
}

function parameterError({ instancePath }: ErrorObject): ProblemField {
  const parameter = instancePath.slice(1);
  const bounds = parameter === 'page' ? listQuerySchema.properties.page : listQuerySchema.properties.limit;
  const detail = `must be an integer from ${bounds.minimum} to ${bounds.maximum}, in plain digits`;
  return { parameter, code: 'out-of-range', detail };
}

type Review = (body: Partial<CreateAutomationJson>) => Promise<readonly FieldError[]>;

/** Checks the shape of a create. What is broken of the shape is reported together with what the core finds by `review`. */
export class CreateAutomationCheck {
  readonly #validator: () => ValidateFunction<CreateAutomationJson>;

  constructor(
    currency: Currency,
    private readonly review: Review,
  ) {
    this.#validator = once(() => newAjv(currency).compile<CreateAutomationJson>(createAutomationSchema(currency)));
  }

  /** @throws Problem `validation-error` with every broken rule. */
  async check(body: unknown): Promise<CreateAutomationJson> {
    if (!isObject(body)) throw invalid([{ pointer: '', code: 'wrong-type', detail: 'must be a JSON object' }]);
    const members = trimmed(body);
    const validate = this.#validator();
    if (!hasManyUnknown(members) && validate(members)) return members;
    const ofCore = (await this.review(members)).map(fieldOfDraft);
    const ofShape = hasManyUnknown(members) ? [tooManyMembers()] : (validate.errors ?? []).map(memberError);
    const named = new Set(ofCore.map(({ pointer }) => pointer));
    throw invalid([...ofCore, ...ofShape.filter(({ pointer }) => !named.has(pointer))]);
  }
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema speaks of texts with their ends trimmed. */
function trimmed(body: Record<string, unknown>): Record<string, unknown> {
  const members = { ...body };
  for (const name of ['title', 'description']) {
    const value = members[name];
    if (typeof value === 'string') members[name] = value.trim();
  }
  return members;
}

function hasManyUnknown(members: Record<string, unknown>): boolean {
  return Object.keys(members).length > MOST_UNKNOWN;
}

function tooManyMembers(): ProblemField {
  return { pointer: '', code: 'unknown-member', detail: `must have no members but ${MEMBERS}` };
}

const MEMBERS = 'title, description, price and category_id';

function memberError(error: ErrorObject): ProblemField {
  const params = error.params as { additionalProperty?: string; missingProperty?: string };
  const member = params.additionalProperty ?? params.missingProperty;
  const pointer = member === undefined ? error.instancePath : `/${escaped(member)}`;
  if (params.additionalProperty !== undefined)
    return { pointer, code: 'unknown-member', detail: `is unknown; there are ${MEMBERS}` };
  return { pointer, code: 'invalid-format', detail: error.message ?? 'is not valid' };
}

/** A reference token of a JSON Pointer (RFC 6901). */
function escaped(member: string): string {
  return shortened(member).replaceAll('~', '~0').replaceAll('/', '~1');
}

function invalid(errors: readonly ProblemField[]): Problem {
  return new Problem('validation-error', 'The automation is not valid; nothing was stored.', { errors });
}
