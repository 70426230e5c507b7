import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Currency } from '../../domain/currency.js';
import type { ListRequest } from '../../application/marketplace.js';
import type { FieldError } from '../../domain/errors.js';
import { trimmed } from '../../domain/text.js';
import { fieldOfDraft, NOT_VALID } from './errors.js';
import { Problem, shortened, type ProblemField } from './problems.js';
import { parseQuery, refuse } from './query.js';
import type { CreateAutomationJson } from './representations.js';
import { createAutomationSchema, listQuerySchema } from './schemas.js';

/** Unknown members that are named; ajv would name thousands. */
const MOST_UNKNOWN = 20;
const TEXTS = ['title', 'description'];
const KNOWN = [...TEXTS, 'price', 'category_id'];
const INTEGER = /^[1-9][0-9]{0,8}$/;

/** Our own schemas are not checked at every start; a test does that once. */
const OPTIONS = { allErrors: true, strict: true, meta: false, validateSchema: false } as const;

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
    this.#validator = once(() => new Ajv2020(OPTIONS).compile<CreateAutomationJson>(createAutomationSchema(currency)));
  }

  /** @throws Problem `validation-error` with every broken rule. */
  async check(body: unknown): Promise<CreateAutomationJson> {
    if (!isObject(body)) throw invalid([{ pointer: '', code: 'wrong-type', detail: 'must be a JSON object' }]);
    const { known, unknown } = membersOf(body);
    const validate = this.#validator();
    if (validate(known) && unknown.length === 0) return known;
    const ofCore = (await this.review(known)).map(fieldOfDraft);
    const ofShape = [...(validate.errors ?? []).map(memberError), ...unknown.map(unknownMember)];
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

interface Members {
  readonly known: Record<string, unknown>;
  readonly unknown: readonly string[];
}

/** The schema speaks of texts with their ends trimmed, and would find a fault with each of thousands of unknown members. */
function membersOf(body: Record<string, unknown>): Members {
  const known: Record<string, unknown> = {};
  for (const name of KNOWN) {
    const value = body[name];
    if (Object.hasOwn(body, name)) known[name] = typeof value === 'string' && TEXTS.includes(name) ? trimmed(value) : value;
  }
  const unknown = Object.keys(body).filter((name) => !KNOWN.includes(name));
  return { known, unknown: unknown.slice(0, MOST_UNKNOWN) };
}

function memberError(error: ErrorObject): ProblemField {
  const { missingProperty } = error.params as { missingProperty?: string };
  const pointer = missingProperty === undefined ? error.instancePath : `/${missingProperty}`;
  return { pointer, code: 'invalid-format', detail: error.message ?? 'is not valid' };
}

function unknownMember(name: string): ProblemField {
  return { pointer: `/${escaped(name)}`, code: 'unknown-member', detail: `is unknown; there are ${KNOWN.join(', ')}` };
}

/** A reference token of a JSON Pointer (RFC 6901). */
function escaped(member: string): string {
  return shortened(member).replaceAll('~', '~0').replaceAll('/', '~1');
}

function invalid(errors: readonly ProblemField[]): Problem {
  return new Problem('validation-error', NOT_VALID, { errors });
}
