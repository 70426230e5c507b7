import type { UseCases } from '../../application/index.js';
import type { Consents } from '../web/consents.js';
import type { IssuerSignIn } from '../web/issuer-sign-in.js';
import type { DeveloperQuotas } from '../edge/middleware/quotas.js';
import { PAGE_OPTIONS, type PageOptions } from '../web/page-options.js';

/** The use cases that the panel shows; `newCore` makes them. It needs apps and connections with `consents` only. */
export type PanelCore = Pick<
  UseCases,
  'marketplace' | 'records' | 'keys' | 'sessions' | 'profiles' | 'security' | 'audit' | 'accounts' | 'categories'
> &
  Partial<Pick<UseCases, 'apps' | 'connections' | 'reports'>>;

/** The options of the host. */
export interface PanelOptions extends PageOptions {
  /** Whether the catalogue is mounted next to it, to link to and to lead back to after the sign-in. Default: false. */
  readonly catalogue?: boolean | undefined;
  /** Counts what developers publish and revise as creates, with the API next to it. Default: the panel alone. */
  readonly quotas?: DeveloperQuotas | undefined;
  /** The questions of the authorization server next to it. Default: there is none, and no page about apps. */
  readonly consents?: Consents | undefined;
  /** The sign-in at an issuer, in addition to passwords; not with `authenticate`. Default: passwords alone. */
  readonly signIn?: IssuerSignIn | undefined;
  /**
   * With `false`, which needs `signIn`, passwords are for emergencies: those of accounts that a command marked, at
   * `/panel/sign-in?password`. Default: true.
   */
  readonly passwords?: boolean | undefined;
  /** Default: the clock of the machine. */
  readonly now?: (() => Date) | undefined;
}

export const PANEL_OPTIONS = {
  catalogue: true,
  quotas: true,
  consents: true,
  signIn: true,
  passwords: true,
  now: true,
  ...PAGE_OPTIONS,
} as const;
