import type { UseCases } from '../../application/index.js';
import type { Consents } from '../web/consents.js';
import type { HostOptions, HostSignInOptions } from '../edge/host.js';
import { HOST_OPTIONS } from '../edge/host-options.js';
import type { DeveloperQuotas } from '../edge/middleware/quotas.js';
import type { PageQuotaOptions } from '../web/page-quota.js';
import type { Brand } from '../web/views/brand.js';

/** The use cases that the panel shows; `newCore` makes them. It needs apps and connections with `consents` only. */
export type PanelCore = Pick<
  UseCases,
  'marketplace' | 'records' | 'keys' | 'sessions' | 'profiles' | 'security' | 'audit' | 'accounts' | 'categories'
> &
  Partial<Pick<UseCases, 'apps' | 'connections'>>;

/** The options of the host. */
export interface PanelOptions extends HostOptions, HostSignInOptions, PageQuotaOptions {
  /** Whether automations can be found by words. Default: true. */
  readonly search?: boolean | undefined;
  /** Whether the catalogue is mounted next to it, to link to and to lead back to after the sign-in. Default: false. */
  readonly catalogue?: boolean | undefined;
  /** Whether the documentation of a whole service is there to link to. Default: false. */
  readonly docs?: boolean | undefined;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand | undefined;
  /** Counts what developers publish and revise as creates, with the API next to it. Default: the panel alone. */
  readonly quotas?: DeveloperQuotas | undefined;
  /** The questions of the authorization server next to it. Default: there is none, and no page about apps. */
  readonly consents?: Consents | undefined;
  /** Default: the clock of the machine. */
  readonly now?: (() => Date) | undefined;
}

export const PANEL_OPTIONS = {
  authenticate: true,
  signInUrl: true,
  search: true,
  catalogue: true,
  docs: true,
  brand: true,
  quotas: true,
  consents: true,
  now: true,
  pageRateLimit: true,
  ...HOST_OPTIONS,
} as const;
