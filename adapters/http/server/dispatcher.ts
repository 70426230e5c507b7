import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requireOptions } from '../../../domain/options.js';
import { BASES, isAtOrBelow, pathOf } from '../middleware/base-path.js';

/** The applications under one mount path, each as its `.callback()`. */
export interface Applications {
  /** The result of `createHttpApp`. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** The result of `createPanel`. */
  readonly panel?: Applications['api'] | undefined;
  /** The result of `createCatalogue`. */
  readonly catalogue?: Applications['api'] | undefined;
  /** Everything else. Default: `api`. */
  readonly pages?: Applications['api'] | undefined;
}

/**
 * Returns a function that hands each request to the application of its path.
 * @throws TypeError for an unknown application.
 */
export function dispatcher(applications: Applications): RequestListener {
  requireOptions('dispatcher', applications, { api: true, panel: true, catalogue: true, pages: true });
  const { api, panel, catalogue, pages = api } = applications;
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (BASES.some((base) => isAtOrBelow(path, base))) api(request, response);
    else if (panel !== undefined && isAtOrBelow(path, '/panel')) panel(request, response);
    else if (catalogue !== undefined && isOfCatalogue(path)) catalogue(request, response);
    else pages(request, response);
  };
}

function isOfCatalogue(path: string): boolean {
  return isAtOrBelow(path, '/catalogue') || /^\/sitemap(?:-\d+)?\.xml$/.test(path);
}
