import { HOST_OPTIONS } from '../edge/host-options.js';
import type { HostOptions, HostSignInOptions } from '../edge/host.js';
import type { PageQuotaOptions } from './page-quota.js';
import type { Brand } from './views/brand.js';

/** The options of pages, whichever they are. */
export interface PageOptions extends HostOptions, HostSignInOptions, PageQuotaOptions {
  /** Whether automations can be found by words. Default: true. */
  readonly search?: boolean | undefined;
  /** Whether the documentation of a whole service is there to link to. Default: false. */
  readonly docs?: boolean | undefined;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand | undefined;
}

export const PAGE_OPTIONS = {
  authenticate: true,
  issuer: true,
  signInUrl: true,
  search: true,
  docs: true,
  brand: true,
  pageRateLimit: true,
  ...HOST_OPTIONS,
} as const;
