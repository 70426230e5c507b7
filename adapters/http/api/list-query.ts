import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ListRequest } from '../../../application/marketplace.js';
import type { ProblemField } from '../problems/problem.js';
import { parseQuery, refuse } from './query-string.js';
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
