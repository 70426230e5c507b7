import type { UseCases } from '../../application/core.js';
import type { HttpSettings } from '../edge/context.js';
import type { HttpOptions } from '../edge/host.js';
import {
  assertIssuer,
  assertOption,
  assertVerifier,
  checkedFilesPath,
  checkedHostOptions,
  checkedUrl,
  HOST_OPTIONS,
} from '../edge/host-options.js';
import { checkedLimits, DeveloperQuotas } from '../edge/middleware/quotas.js';

/** The methods of `Marketplace` that the endpoints and the tools for agents call. */
const METHODS = [
  'listAutomations',
  'reviewListRequest',
  'readAutomation',
  'readFile',
  'reviewAutomation',
  'createAutomationOnce',
  'listCategories',
] as const;

const SESSIONS_NEEDED =
  'authenticate needs sessions: core.sessions, which refuses a developer whom an operator has suspended, ' +
  'and finds accounts; with sessions: false, a suspended developer goes on';

export const HTTP_OPTIONS = {
  verifier: true,
  authenticate: true,
  issuer: true,
  sessions: true,
  resourceMetadata: true,
  rateLimits: true,
  quotas: true,
  documents: true,
  filesPath: true,
  search: true,
  ...HOST_OPTIONS,
} as const;

/**
 * Returns the options of a host with their defaults.
 * @throws TypeError that names what is wrong and what is allowed.
 */
export function checkedOptions(marketplace: UseCases['marketplace'], options: HttpOptions): HttpSettings {
  const isMarketplace = isObject(marketplace) && METHODS.every((name) => typeof marketplace[name] === 'function');
  assertOption(isMarketplace, `marketplace must be a Marketplace, an object with the methods ${METHODS.join(', ')}`);
  const { verifier, authenticate, issuer, sessions, resourceMetadata = '', search = true, documents = true } = options;
  checkCredentials(options);
  for (const [name, value] of Object.entries({ search, documents }))
    assertOption(typeof value === 'boolean', `${name} must be true or false`);
  return {
    marketplace,
    verifier,
    authenticate,
    issuer,
    sessions,
    search,
    documents,
    filesPath: checkedFilesPath(options.filesPath),
    resourceMetadata:
      typeof resourceMetadata === 'function'
        ? resourceMetadata
        : always(checkedUrl('resourceMetadata', resourceMetadata)),
    rateLimits: checkedLimits(options.rateLimits),
    quotas: checkedQuotas(options),
    ...checkedHostOptions(options),
  };
}

function always<Value>(value: Value): () => Value {
  return () => value;
}

function checkCredentials({
  verifier,
  authenticate,
  issuer,
  sessions,
}: { readonly [Name in keyof HttpOptions]?: unknown }): void {
  assertOption(
    (verifier ?? authenticate) !== undefined,
    'options must have a verifier, a function authenticate, or both',
  );
  if (verifier !== undefined) assertVerifier(verifier);
  const isFunction = authenticate === undefined || typeof authenticate === 'function';
  assertOption(isFunction, 'authenticate must be a function that returns a caller, or undefined');
  assertIssuer(issuer, authenticate);
  if (authenticate === undefined) assertOption(sessions === undefined, 'sessions must come with authenticate');
  else assertOption(sessions === false || isOfCore(sessions), SESSIONS_NEEDED);
}

function isOfCore(sessions: unknown): boolean {
  const { findHostCaller } = (sessions ?? {}) as Partial<UseCases['sessions']>;
  return typeof findHostCaller === 'function';
}

function checkedQuotas({ quotas, rateLimits }: HttpOptions): DeveloperQuotas {
  assertOption(quotas === undefined || quotas instanceof DeveloperQuotas, 'quotas must be a DeveloperQuotas');
  const isTwice = quotas !== undefined && (rateLimits?.reads ?? rateLimits?.creates) !== undefined;
  assertOption(!isTwice, 'rateLimits must not have reads and creates next to quotas, which has its own');
  return quotas ?? new DeveloperQuotas(rateLimits);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
