import { safeCall } from '../../application/safe-call.js';
import { IDENTITY_TEXT_RULE, isIdentityText } from '../../domain/identity.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { CompletedRequest, Defined, HostOptions } from './host.js';
import { FILES_PATH } from './middleware/base-path.js';
import { parsePublicUrl, publicPath } from './public-url.js';

const MOUNT_PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/;

export const HOST_OPTIONS = {
  mountPath: true,
  publicUrl: true,
  trustedProxyHops: true,
  isSharedNetwork: true,
  onError: true,
  onRequestCompleted: true,
} as const;

/** The options of a host with their defaults. */
export interface HostSettings extends Defined<HostOptions> {
  /** The path with which every address begins: that of the public URL, then the mount path. */
  readonly base: string;
}

/**
 * Returns the options of a host with their defaults.
 * @throws TypeError that names what is wrong and what is allowed.
 */
export function checkedHostOptions(options: HostOptions): HostSettings {
  const { trustedProxyHops = 0, isSharedNetwork = () => false } = options;
  const mountPath = checkedMountPath(options.mountPath ?? '');
  const publicUrl = checkedUrl('publicUrl', options.publicUrl ?? '');
  const isCount = Number.isInteger(trustedProxyHops) && trustedProxyHops >= 0;
  assertOption(isCount, 'trustedProxyHops must be an integer, 0 or more');
  assertOption(typeof isSharedNetwork === 'function', 'isSharedNetwork must be a function');
  const base = publicPath(publicUrl) + mountPath;
  return { mountPath, publicUrl, base, trustedProxyHops, isSharedNetwork, ...checkedHooks(options) };
}

/**
 * A failing hook of the host ends neither the request nor the process: `onError` learns of a failing
 * `onRequestCompleted`.
 */
function checkedHooks({
  onError,
  onRequestCompleted,
}: HostOptions): Pick<HostSettings, 'onError' | 'onRequestCompleted'> {
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
  const { stack } = Object(error) as { readonly stack?: unknown };
  console.error(`request ${requestId} failed: ${String(stack ?? error)}`);
}

/** Returns where files are handed out; empty where they are not. */
export function checkedFilesPath(path: unknown = ''): string {
  return checkedMountPath(path, 'filesPath', FILES_PATH);
}

export function checkedMountPath(path: unknown, name = 'mountPath', example = '/market'): string {
  const isMountPath = typeof path === 'string' && MOUNT_PATH.test(path);
  assertOption(isMountPath, `${name} must begin with a slash and end without one, such as ${example}, or be empty`);
  return path;
}

export function checkedUrl(name: string, text: unknown): string {
  if (text === '') return '';
  const url = typeof text === 'string' && !text.endsWith('/') ? parsePublicUrl(text) : undefined;
  const rule = 'must be an http or https URL without query, fragment, credentials and a final slash';
  assertOption(url !== undefined, `${name} ${rule}, such as https://market.example, or be empty`);
  return url;
}

/** Returns the base addresses of n8n installations. @throws TypeError unless each is one. */
export function checkedN8nUrls(urls: unknown): readonly string[] {
  const parsed = Array.isArray(urls) ? urls.map((url) => typeof url === 'string' && parsePublicUrl(url)) : [];
  const checked = parsed.flatMap((url) => url || []);
  const isGood = checked.length > 0 && checked.length === parsed.length;
  assertOption(isGood, 'n8nUrls must be the addresses of n8n installations, such as https://n8n.example');
  return checked;
}

/** @throws TypeError unless it is missing, or can be the issuer of the users of `authenticate`. */
export function assertIssuer(issuer: unknown, authenticate: unknown): void {
  assertOption(issuer === undefined || authenticate !== undefined, 'issuer must come with authenticate');
  assertOption(issuer === undefined || isIdentityText(issuer), `issuer must be ${IDENTITY_TEXT_RULE}`);
}

/** @throws TypeError when it is no `ApiKeyVerifier`. */
export function assertVerifier(verifier: unknown): void {
  const isVerifier = typeof (verifier as Partial<ApiKeyVerifier> | null | undefined)?.verify === 'function';
  assertOption(isVerifier, 'verifier must be an ApiKeyVerifier, an object with a method verify');
}

/** @throws TypeError with the rule when it does not hold. */
export function assertOption(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new TypeError(rule);
}
