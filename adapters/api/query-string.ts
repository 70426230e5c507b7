import { Problem, truncate, type ProblemField, type ProblemFieldCode } from '../edge/problems/problem.js';

/** The parameters of a query, each at most once, and every mistake in it. */
interface Query<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  readonly errors: readonly ProblemField[];
}

/**
 * Decodes strictly: bad percent-encoding, bytes that are not UTF-8, and repeated, empty and unknown parameters are
 * mistakes.
 */
export function parseQuery<Name extends string>(querystring: string, names: readonly Name[]): Query<Name> {
  const values: Partial<Record<Name, string>> = {};
  const errors: ProblemField[] = [];
  for (const pair of querystring.split('&').filter(Boolean)) {
    const equals = pair.indexOf('=');
    const raw = equals < 0 ? pair : pair.slice(0, equals);
    const parameter = decode(raw);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const known = names.find((name) => name === parameter);
    const report = (code: ProblemFieldCode, detail: string) =>
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
  if (querystring === '') return;
  const { errors } = parseQuery(querystring, []);
  if (errors.length > 0) throw invalidQuery(errors);
}

export function invalidQuery(errors: readonly ProblemField[]): Problem {
  return new Problem('invalid-query', 'The query has parameters that are not allowed.', { errors });
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
