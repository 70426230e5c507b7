import type { Handler, HttpMiddleware } from '../context.js';
import { notFound } from './problem-documents.js';

/** Where the endpoints are mounted; the responses are the same under each. */
export const BASES = ['/api', '/v1', '/api/v1', '/v1/api'] as const;

/** Where the tools for agents are mounted. */
export const MCP_PATH = '/mcp';

/** Where the files of automations are mounted. */
export const FILES_PATH = '/files';

/** Where the library for n8n is mounted. */
export const N8N_PATH = '/n8n';

/** Where clients find which authorization servers a resource trusts (RFC 9728, section 3.1). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Where the authorization server of the service is mounted. */
export const OAUTH_PATH = '/oauth';
/** Where its metadata are, with the path of its issuer after it (RFC 8414, section 3.1). */
export const OAUTH_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** Where clients look for them: also where OpenID Connect has them. */
export const OAUTH_METADATA_PATHS = [OAUTH_METADATA_PATH, '/.well-known/openid-configuration'];

const LONGEST_FIRST = [...BASES].sort((one, other) => other.length - one.length);
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/**
 * Finds the base of the request and the path below it. What is outside the bases is handled there, with or without a
 * key. By default it throws the Problem `not-found`.
 */
export function basePath(outside: Handler = notFound): HttpMiddleware {
  return function findBase(ctx, next) {
    const target = ctx.req.url ?? '';
    const path = pathOf(target);
    const base = LONGEST_FIRST.find((candidate) => isAtOrBelow(path, candidate));
    if (base === undefined) return outside(ctx);
    ctx.state.base = base;
    ctx.state.path = path.slice(base.length) || '/';
    ctx.state.query = queryOf(target);
    return next();
  };
}

/** Returns the path of a target in origin form or absolute form (RFC 9112, section 3.2), as it was sent. */
export function pathOf(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const end = local.indexOf('?');
  return end < 0 ? local : local.slice(0, end);
}

/** Returns a target without the mount path; undefined when the target is outside of it. */
function belowMountPath(target: string, mountPath: string): string | undefined {
  const [origin = ''] = target.startsWith('/') ? [] : (ORIGIN.exec(target) ?? []);
  if (!isAtOrBelow(pathOf(target), mountPath)) return undefined;
  const rest = target.slice(origin.length + mountPath.length);
  return origin + (rest.startsWith('/') ? rest : `/${rest}`);
}

/** A request as a host hands it over. */
export interface MountedRequest {
  readonly url?: string | undefined;
  /** The address as the host received it, where a router such as that of Express has removed a path since. */
  readonly originalUrl?: string | undefined;
}

/**
 * Returns the target of a request without the mount path, whether or not the host has removed the path. A target that
 * begins with the mount path still has it, unless the one that the host received has it once more.
 */
export function targetBelow({ url = '', originalUrl = '' }: MountedRequest, mountPath: string): string {
  const below = belowMountPath(url, mountPath);
  return below === undefined || belowMountPath(originalUrl, mountPath) === url ? url : below;
}

/** Returns whether the host received the request at or below the mount path. */
export function isBelowMountPath({ url = '', originalUrl = '' }: MountedRequest, mountPath: string): boolean {
  return [url, originalUrl].some((target) => belowMountPath(target, mountPath) !== undefined);
}

/** Has everything behind it see the address below the mount path; the host sees it as it was, before and after. */
export function mountedAt(mountPath: string): HttpMiddleware {
  if (mountPath === '')
    return function keepAddress(_ctx, next) {
      return next();
    };
  return async function removeMountPath(ctx, next) {
    const { url } = ctx;
    const { originalUrl = ctx.originalUrl } = ctx.req as MountedRequest;
    ctx.url = targetBelow({ url, originalUrl }, mountPath);
    try {
      await next();
    } finally {
      ctx.url = url;
    }
  };
}

export function isAtOrBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}

/** Returns the text behind the question mark. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}
