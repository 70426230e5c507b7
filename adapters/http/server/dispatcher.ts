import type { RequestListener } from 'node:http';
import { BASES, isAtOrBelow, pathOf } from '../middleware/base-path.js';

/** The applications of the service. */
export interface Applications {
  readonly api: RequestListener;
  readonly panel?: RequestListener | undefined;
  readonly catalogue?: RequestListener | undefined;
  /** Everything else: probes, metrics, documentation. */
  readonly pages: RequestListener;
}

/** Hands each request to the application of its path. */
export function dispatcher({ api, panel, catalogue, pages }: Applications): RequestListener {
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
