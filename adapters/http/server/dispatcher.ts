import type { RequestListener } from 'node:http';
import { BASES, isAtOrBelow, pathOf } from '../middleware/base-path.js';

/** The applications of the service. */
export interface Applications {
  readonly api: RequestListener;
  readonly panel?: RequestListener | undefined;
  /** Everything else: probes, metrics, documentation. */
  readonly pages: RequestListener;
}

/** Hands each request to the application of its path. */
export function dispatcher({ api, panel, pages }: Applications): RequestListener {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    if (BASES.some((base) => isAtOrBelow(path, base))) api(request, response);
    else if (panel !== undefined && isAtOrBelow(path, '/panel')) panel(request, response);
    else pages(request, response);
  };
}
