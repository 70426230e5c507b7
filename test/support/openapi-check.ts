import type { OpenApiDocument, PathItem, Ref } from '../../adapters/api/openapi/model.js';
import { BASES } from '../../adapters/edge/middleware/base-path.js';
import { compileResponses, type Answer, type Check } from './openapi-responses-check.js';

export type { Answer } from './openapi-responses-check.js';

/** @throws Error that names all that the document does not say of the answer. */
export type AnswerCheck = (method: string, url: string, answer: Answer, body: string) => void;

/** By status, or by the name of the response. */
type Checks = ReadonlyMap<string, Check>;

/** In characters: longer addresses may make links that are too long to be sent. */
const LONG = 2_000;

/** Holds answers to the document. Everything is compiled here, once; a check takes microseconds. */
export function answerChecker(document: OpenApiDocument, currency = 'USD'): AnswerCheck {
  const responses = compileResponses(document, currency);
  const routes = Object.entries(document.paths).map(([path, item]) => routeOf(path, item, responses));
  const everywhere = shared(routes.flatMap(({ operations }) => Array.from(operations.values())));
  const unknownPath = new Map([...everywhere, ...named(responses, '404', 'NotFound')]);
  const unknownMethod = new Map([...everywhere, ...named(responses, '405', 'MethodNotAllowed')]);
  const below = stripperOf(document);
  return (method, url, answer, body) => {
    const route = routes.find(({ pattern }) => pattern.test(below(url)));
    const checks = route ? (route.operations.get(method) ?? unknownMethod) : unknownPath;
    const wrong: string[] = [];
    const check = checks.get(String(answer.status));
    if (check) check(answer, body, method, (what) => wrong.push(what));
    else wrong.push('the status is not documented');
    if (isList(below(url), answer) && url.length < LONG && !answer.headers.has('Link'))
      wrong.push('the header Link is missing');
    if (wrong.length > 0) throw new Error(`${method} ${url} answered ${answer.status}: ${wrong.join('; ')}`);
  };
}

function isList(path: string, { status }: Answer): boolean {
  return path === '/automations' && (status === 200 || status === 304);
}

interface Route {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, Checks>;
}

function routeOf(path: string, item: PathItem, responses: Checks): Route {
  const operations = Object.entries(item).map(([method, operation]): [string, Checks] => [
    method.toUpperCase(),
    new Map(Object.entries(operation.responses).flatMap(([status, ref]) => named(responses, status, nameOf(ref)))),
  ]);
  const get = new Map(operations).get('GET') ?? new Map();
  const options = new Map([...get, ...named(responses, '204', 'Methods')]);
  return {
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operations: new Map([...operations, ['HEAD', get], ['OPTIONS', options]]),
  };
}

/** What may happen to a request whatever it asks for: the refusals that all operations share. */
function shared([first = new Map(), ...others]: readonly Checks[]): Checks {
  return new Map(
    Array.from(first).filter(([status]) => Number(status) >= 400 && others.every((checks) => checks.has(status))),
  );
}

function named(responses: Checks, status: string, name: string): [string, Check][] {
  const check = responses.get(name);
  if (check === undefined) throw new Error(`the document has no response ${name}`);
  return [[status, check]];
}

function nameOf({ $ref }: Ref): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Returns what gives the path below a base, of a whole URL or a request target, as it was sent. */
function stripperOf({ servers: [canonical] }: OpenApiDocument): (url: string) => string {
  const path = (url: string) => url.replace(/^[a-z]+:\/\/[^/?#]+/i, '').replace(/[?#].*$/s, '');
  const mountPath = path(canonical?.url ?? '').slice(0, -BASES[0].length);
  const bases = BASES.map((base) => mountPath + base).sort((one, other) => other.length - one.length);
  return (url) => {
    const whole = path(url);
    const base = bases.find((candidate) => whole === candidate || whole.startsWith(`${candidate}/`));
    if (base === undefined) throw new Error(`${url} is under none of the documented bases`);
    return whole.slice(base.length);
  };
}
