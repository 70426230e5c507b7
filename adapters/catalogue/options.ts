import type { UseCases } from '../../application/index.js';
import type { HostOptions } from '../edge/host.js';
import { HOST_OPTIONS } from '../edge/host-options.js';
import type { PageQuotaOptions } from '../web/page-quota.js';
import type { HostSignInOptions } from '../edge/host.js';
import type { Brand } from '../web/views/brand.js';

/** The use cases that the catalogue shows; `newCore` makes them. */
export type CatalogueCore = Pick<UseCases, 'catalogue' | 'developers' | 'sessions'>;

/** The options of the host. */
export interface CatalogueOptions extends HostOptions, HostSignInOptions, PageQuotaOptions {
  /** The visitors: everybody, or only members. Default: members if visitors can sign in, else everybody. */
  readonly visibility?: 'members' | 'public' | undefined;
  /** Whether the panel is next to it: members create keys there, and sign in without `authenticate`. Default: false. */
  readonly panel?: boolean | undefined;
  /** Whether the panel has pages about apps, as it has with `consents`, to link to. Default: false. */
  readonly apps?: boolean | undefined;
  /** Whether the documentation of a whole service is there to link to. Default: false. */
  readonly docs?: boolean | undefined;
  /** Whether automations can be found by words. Default: true. */
  readonly search?: boolean | undefined;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand | undefined;
}

export const CATALOGUE_OPTIONS = {
  authenticate: true,
  signInUrl: true,
  visibility: true,
  panel: true,
  apps: true,
  docs: true,
  search: true,
  brand: true,
  pageRateLimit: true,
  ...HOST_OPTIONS,
} as const;
