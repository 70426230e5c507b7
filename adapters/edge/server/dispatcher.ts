import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireOptions } from '../../../domain/options.js';
import { checkedMountPath, checkedUrl } from '../host-options.js';
import {
  BASES,
  FILES_PATH,
  MCP_PATH,
  N8N_PATH,
  OAUTH_METADATA_PATHS,
  OAUTH_PATH,
  RESOURCE_METADATA_PATH,
  isAtOrBelow,
  isBelowMountPath,
  pathOf,
  targetBelow,
  type MountedRequest,
} from '../middleware/base-path.js';
import { publicPath } from '../public-url.js';

/** The applications under one mount path, each as its `.callback()`. */
export interface Applications {
  /** The result of `createHttpApp`. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** The result of `createPanel`. */
  readonly panel?: Applications['api'] | undefined;
  /** The result of `createCatalogue`. */
  readonly catalogue?: Applications['api'] | undefined;
  /** The result of `createFilesApp`. */
  readonly files?: Applications['api'] | undefined;
  /** The result of `createN8nLibrary`. */
  readonly n8n?: Applications['api'] | undefined;
  /** The result of `createMcpApp`. */
  readonly mcp?: Applications['api'] | undefined;
  /** The result of `createAuthorizationServer`. */
  readonly authorizationServer?: Applications['api'] | undefined;
  /** Everything else. Default: `api`; at the mount path itself the catalogue, else the panel, where there is one. */
  readonly pages?: Applications['api'] | undefined;
  /** The `mountPath` that the applications got, such as `/market`. The host may have removed it from the address. */
  readonly mountPath?: string | undefined;
  /** The `publicUrl` that the applications got: its path stands in the addresses of metadata. Default: none. */
  readonly publicUrl?: string | undefined;
  /**
   * The host's own handler: what is outside the mount path, with its address as it is. Default: none, as for a server
   * that removes the mount path and hands over nothing else.
   */
  readonly outside?: Applications['api'] | undefined;
}

/**
 * Returns a function that hands each request to the application of its path, and returns what that returns.
 * @throws TypeError for an unknown application, or when the mount path is not valid.
 */
export function dispatcher(options: Applications): Applications['api'] {
  requireOptions('dispatcher', options, {
    api: true,
    panel: true,
    catalogue: true,
    files: true,
    n8n: true,
    mcp: true,
    authorizationServer: true,
    pages: true,
    mountPath: true,
    publicUrl: true,
    outside: true,
  });
  const { mountPath = '', publicUrl = '', outside, ...applications } = options;
  const base = publicPath(checkedUrl('publicUrl', publicUrl)) + checkedMountPath(mountPath);
  const dispatch = dispatcherBelow(applications);
  if (mountPath === '') return dispatch;
  const isMetadata = metadataOf(applications, base);
  return (request: IncomingMessage & MountedRequest, response) => {
    const { url = '', originalUrl = url } = request;
    const isOutside = outside !== undefined && !isBelowMountPath(request, mountPath);
    if (isMetadata(pathOf(originalUrl))) request.url = originalUrl;
    else if (isOutside) return outside(request, response);
    else Object.assign(request, { url: targetBelow(request, mountPath), originalUrl });
    return dispatch(request, response);
  };
}

/**
 * Returns whether a path outside of the mount path is that of metadata of these applications: the whole path of what
 * they describe comes last (RFC 8414, section 3.1; RFC 9728, section 3.1).
 */
function metadataOf(
  { authorizationServer, pages }: Pick<Applications, 'authorizationServer' | 'pages'>,
  base: string,
): (path: string) => boolean {
  const ofServer = OAUTH_METADATA_PATHS.map((start) => start + base + OAUTH_PATH);
  const ofResources = ['', BASES[0], MCP_PATH].map((end) => RESOURCE_METADATA_PATH + base + end);
  const paths = new Set([...(authorizationServer ? ofServer : []), ...(pages ? ofResources : [])]);
  return (path) => paths.has(path);
}

function isOfAuthorizationServer(path: string): boolean {
  return [OAUTH_PATH, ...OAUTH_METADATA_PATHS].some((one) => isAtOrBelow(path, one));
}

function dispatcherBelow({
  api,
  panel,
  catalogue,
  files,
  n8n,
  mcp,
  authorizationServer,
  ...others
}: Applications): Applications['api'] {
  const { pages = api } = others;
  const front = others.pages ?? catalogue ?? panel ?? api;
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    const isBelow = (start: string) => isAtOrBelow(path, start);
    if (BASES.some(isBelow)) return api(request, response);
    if (panel !== undefined && isBelow('/panel')) return panel(request, response);
    if (catalogue !== undefined && isOfCatalogue(path)) return catalogue(request, response);
    if (files !== undefined && isBelow(FILES_PATH)) return files(request, response);
    if (n8n !== undefined && isBelow(N8N_PATH)) return n8n(request, response);
    if (mcp !== undefined && isBelow(MCP_PATH)) return mcp(request, response);
    if (authorizationServer !== undefined && isOfAuthorizationServer(path))
      return authorizationServer(request, response);
    return (path === '/' ? front : pages)(request, response);
  };
}

function isOfCatalogue(path: string): boolean {
  return isAtOrBelow(path, '/catalogue') || /^\/sitemap(?:-\d+)?\.xml$/.test(path);
}
