import type { Marketplace } from '../../application/marketplace.js';
import { safeCall } from '../../domain/safe-call.js';
import type { Answered, HttpOptions, RateLimits, Service } from './exchange.js';
import { readPublicUrl } from './public-url.js';
import { RATE_LIMITS } from './rate-limits.js';

/** What the endpoints ask of a `Marketplace`. */
const METHODS = ['listAutomations', 'readAutomation', 'reviewAutomation', 'createAutomationOnce', 'listCategories'] as const;

const MOUNT_PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/;

/** What a host handed in, with what it left out. @throws TypeError that names what is wrong and what is allowed. */
export function checkedService(marketplace: Marketplace, options: HttpOptions): Service {
  insist(isObject(marketplace) && METHODS.every((name) => typeof marketplace[name] === 'function'), `marketplace must be a Marketplace, an object with the methods ${METHODS.join(', ')}`);
  insist(isObject(options), 'options must be an object that has at least a verifier');
  const { verifier, mountPath = '', publicUrl = '', resourceMetadata = '', trustedProxyHops = 0 } = options;
  insist(typeof (verifier as HttpOptions['verifier'] | undefined)?.verify === 'function', 'verifier must be an ApiKeyVerifier, an object with a method verify');
  insist(isMountPath(mountPath), 'mountPath must begin with a slash and end without one, such as /market, or be empty');
  const urls = { publicUrl: checkedUrl('publicUrl', publicUrl), resourceMetadata: checkedUrl('resourceMetadata', resourceMetadata) };
  insist(Number.isInteger(trustedProxyHops) && trustedProxyHops >= 0, 'trustedProxyHops must be a whole number, 0 or more');
  return { marketplace, verifier, mountPath, ...urls, trustedProxyHops, rateLimits: checkedLimits(options.rateLimits), ...guardedHooks(options) };
}

function checkedLimits(given: HttpOptions['rateLimits'] = {}): RateLimits {
  insist(isObject(given), 'rateLimits must be an object');
  const { reads = RATE_LIMITS.reads, creates = RATE_LIMITS.creates, failedAuthentications = RATE_LIMITS.failedAuthentications } = given;
  const limits = { reads, creates, failedAuthentications };
  for (const [name, limit] of Object.entries(limits))
    insist(limit === 'off' || (Number.isInteger(limit) && limit > 0), `rateLimits.${name} must be a whole number above 0, or off`);
  return limits;
}

/** What fails in a hook of the host ends neither the request nor the process: `onError` is told of a failing `onAnswer`, and nobody of itself. */
function guardedHooks({ onError, onAnswer }: HttpOptions): Pick<Service, 'onError' | 'onAnswer'> {
  for (const [name, hook] of Object.entries({ onError, onAnswer })) insist(hook === undefined || typeof hook === 'function', `${name} must be a function`);
  const tell = (error: unknown, requestId: string) => safeCall(() => onError?.(error, requestId));
  return {
    onError: tell,
    onAnswer: onAnswer === undefined ? () => undefined : (answered: Answered) => safeCall(() => onAnswer(answered), (error) => tell(error, answered.requestId)),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMountPath(path: unknown): boolean {
  return typeof path === 'string' && MOUNT_PATH.test(path);
}

function checkedUrl(name: string, text: unknown): string {
  if (text === '') return '';
  const url = typeof text === 'string' && !text.endsWith('/') ? readPublicUrl(text) : undefined;
  insist(url !== undefined, `${name} must be an http or https URL without query, fragment, credentials and a slash at the end, such as https://market.example, or be empty`);
  return url;
}

function insist(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new TypeError(rule);
}
