import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requireOptions } from '../../../domain/options.js';
import { checkedMountPath } from '../host-options.js';
import {
  BASES,
  OAUTH_METADATA_PATHS,
  OAUTH_PATH,
  belowMountPath,
  isAtOrBelow,
  pathOf,
} from '../middleware/base-path.js';

/** The applications under one mount path, each as its `.callback()`. */
export interface Applications {
  /** The result of `createHttpApp`. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** The result of `createPanel`. */
  readonly panel?: Applications['api'] | undefined;
  /** The result of `createCatalogue`. */
  readonly catalogue?: Applications['api'] | undefined;
  /** The result of `createMcpApp`. */
  readonly mcp?: Applications['api'] | undefined;
  /** The result of `createAuthorizationServer`. */
  readonly authorizationServer?: Applications['api'] | undefined;
  /** Everything else. Default: `api`. */
  readonly pages?: Applications['api'] | undefined;
  /** The `mountPath` that the applications got, such as `/market`. It is removed from the address of each request. */
  readonly mountPath?: string | undefined;
  /** The host's own handler: what is outside the mount path, with its address as it is. Default: 404. */
  readonly outside?: Applications['api'] | undefined;
}

/**
 * Returns a function that hands each request to the application of its path.
 * @throws TypeError for an unknown application, or when the mount path is not valid.
 */
export function dispatcher(options: Applications): RequestListener {
  requireOptions('dispatcher', options, {
    api: true,
    panel: true,
    catalogue: true,
    mcp: true,
    authorizationServer: true,
    pages: true,
    mountPath: true,
    outside: true,
  });
  const { mountPath = '', outside = notFound, ...applications } = options;
  checkedMountPath(mountPath);
  const dispatch = dispatcherBelow(applications);
  if (mountPath === '') return dispatch;
  const { authorizationServer } = applications;
  return (request, response) => {
    const target = belowMountPath(request.url ?? '', mountPath);
    if (target !== undefined) dispatch(Object.assign(request, { url: target }), response);
    else if (authorizationServer !== undefined && isMetadata(pathOf(request.url ?? ''), mountPath))
      authorizationServer(request, response);
    else outside(request, response);
  };
}

/** Returns whether the path is that of the metadata of the server under a mount path, which is outside of it. */
function isMetadata(path: string, mountPath: string): boolean {
  return OAUTH_METADATA_PATHS.some((one) => path === one + mountPath + OAUTH_PATH);
}

function isOfAuthorizationServer(path: string): boolean {
  return [OAUTH_PATH, ...OAUTH_METADATA_PATHS].some((one) => isAtOrBelow(path, one));
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

function dispatcherBelow({
  api,
  panel,
  catalogue,
  mcp,
  authorizationServer,
  pages = api,
}: Applications): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (BASES.some((base) => isAtOrBelow(path, base))) api(request, response);
    else if (panel !== undefined && isAtOrBelow(path, '/panel')) panel(request, response);
    else if (catalogue !== undefined && isOfCatalogue(path)) catalogue(request, response);
    else if (mcp !== undefined && isAtOrBelow(path, '/mcp')) mcp(request, response);
    else if (authorizationServer !== undefined && isOfAuthorizationServer(path)) authorizationServer(request, response);
    else pages(request, response);
  };
}

function isOfCatalogue(path: string): boolean {
  return isAtOrBelow(path, '/catalogue') || /^\/sitemap(?:-\d+)?\.xml$/.test(path);
}
