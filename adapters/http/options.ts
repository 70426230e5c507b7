import type { Marketplace } from '../../application/marketplace.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { safeCall } from '../../domain/safe-call.js';
import type { CompletedRequest, HttpOptions, HttpSettings, RateLimits } from './context.js';
import { RATE_LIMITS } from './middleware/rate-limits.js';
import { parsePublicUrl } from './public-url.js';

/** The methods of `Marketplace` that the endpoints call. */
const METHODS = [
  'listAutomations',
  'reviewListRequest',
  'readAutomation',
  'reviewAutomation',
  'createAutomationOnce',
  'listCategories',
] as const;

const MOUNT_PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/;

/**
 * Returns the options of a host with their defaults.
 * @throws TypeError that names what is wrong and what is allowed.
 */
export function checkedOptions(marketplace: Marketplace, options: HttpOptions): HttpSettings {
  const isMarketplace = isObject(marketplace) && METHODS.every((name) => typeof marketplace[name] === 'function');
  assertOption(isMarketplace, `marketplace must be a Marketplace, an object with the methods ${METHODS.join(', ')}`);
  assertOption(isObject(options), 'options must be an object with at least a verifier');
  const { verifier, authenticate, mountPath = '', publicUrl = '', resourceMetadata = '' } = options;
  const { trustedProxyHops = 0, search = true, documents = true } = options;
  checkCredentials(verifier, authenticate);
  assertOption(
    isMountPath(mountPath),
    'mountPath must begin with a slash and end without one, such as /market, or be empty',
  );
  const isCount = Number.isInteger(trustedProxyHops) && trustedProxyHops >= 0;
  assertOption(isCount, 'trustedProxyHops must be an integer, 0 or more');
  for (const [name, value] of Object.entries({ search, documents }))
    assertOption(typeof value === 'boolean', `${name} must be true or false`);
  return {
    marketplace,
    verifier,
    authenticate,
    search,
    documents,
    mountPath,
    publicUrl: checkedUrl('publicUrl', publicUrl),
    resourceMetadata: checkedUrl('resourceMetadata', resourceMetadata),
    trustedProxyHops,
    rateLimits: checkedLimits(options.rateLimits),
    ...checkedHooks(options),
  };
}

function checkCredentials(verifier: unknown, authenticate: unknown): void {
  assertOption((verifier ?? authenticate) !== undefined, 'options must have a verifier, or a function authenticate');
  assertOption((verifier && authenticate) === undefined, 'options must have a verifier or authenticate, not both');
  const isVerifier = verifier === undefined || typeof (verifier as ApiKeyVerifier | null)?.verify === 'function';
  assertOption(isVerifier, 'verifier must be an ApiKeyVerifier, an object with a method verify');
  const isFunction = authenticate === undefined || typeof authenticate === 'function';
  assertOption(isFunction, 'authenticate must be a function that returns a caller, or undefined');
}

function checkedLimits(given: HttpOptions['rateLimits'] = {}): RateLimits {
  assertOption(isObject(given), 'rateLimits must be an object');
  const {
    reads = RATE_LIMITS.reads,
    creates = RATE_LIMITS.creates,
    failedAuthentications = RATE_LIMITS.failedAuthentications,
  } = given;
  const limits = { reads, creates, failedAuthentications };
  for (const [name, limit] of Object.entries(limits)) {
    const isLimit = limit === 'off' || (Number.isInteger(limit) && limit > 0);
    assertOption(isLimit, `rateLimits.${name} must be an integer above 0, or off`);
  }
  return limits;
}

/**
 * A failing hook of the host ends neither the request nor the process: `onError` learns of a failing
 * `onRequestCompleted`.
 */
function checkedHooks({
  onError,
  onRequestCompleted,
}: HttpOptions): Pick<HttpSettings, 'onError' | 'onRequestCompleted'> {
  for (const [name, hook] of Object.entries({ onError, onRequestCompleted }))
    assertOption(hook === undefined || typeof hook === 'function', `${name} must be a function`);
  const report = (error: unknown, requestId: string) => safeCall(() => (onError ?? printError)(error, requestId));
  const complete = (request: CompletedRequest) =>
    safeCall(
      () => onRequestCompleted?.(request),
      (error) => report(error, request.requestId),
    );
  return { onError: report, onRequestCompleted: complete };
}

/** Prints the stack alone: other members of an error may contain what the client sent. */
function printError(error: unknown, requestId: string): void {
  console.error(`request ${requestId} failed: ${error instanceof Error ? error.stack : String(error)}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMountPath(path: unknown): boolean {
  return typeof path === 'string' && MOUNT_PATH.test(path);
}

function checkedUrl(name: string, text: unknown): string {
  if (text === '') return '';
  const url = typeof text === 'string' && !text.endsWith('/') ? parsePublicUrl(text) : undefined;
  const rule = 'must be an http or https URL without query, fragment, credentials and a final slash';
  assertOption(url !== undefined, `${name} ${rule}, such as https://market.example, or be empty`);
  return url;
}

function assertOption(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new TypeError(rule);
}
