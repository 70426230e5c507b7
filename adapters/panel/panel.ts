import type { UseCases } from '../../application/index.js';
import type { Consents } from '../web/consents.js';
import type { IssuerSignIn } from '../web/issuer-sign-in.js';
import type { DeveloperQuotas } from '../edge/middleware/quotas.js';
import type { Sessions } from '../web/signed-in.js';
import type { Render } from '../web/views/views.js';
import type { PanelCore } from './options.js';
import type { SubmittedForms } from '../web/form.js';

/** What the pages about apps show: the questions of an authorization server, and its use cases. */
export interface OAuthParts {
  readonly consents: Consents;
  readonly apps: NonNullable<UseCases['apps']>;
  readonly connections: NonNullable<UseCases['connections']>;
}

/** What all pages of a panel share. */
export interface Panel extends Omit<PanelCore, 'apps' | 'connections'>, Sessions {
  /** Undefined where people sign in with passwords alone, or at a host. */
  readonly signIn: IssuerSignIn | undefined;
  /** Whether passwords are for emergencies alone. */
  readonly passwordsOff: boolean;
  /** Undefined where there is no authorization server. */
  readonly oauth: OAuthParts | undefined;
  readonly search: boolean;
  readonly catalogue: boolean;
  readonly docs: boolean;
  readonly quotas: DeveloperQuotas;
  readonly now: () => Date;
  /** The start of every address of the panel: `/panel`, below the base. */
  readonly at: string;
  readonly render: Render;
  readonly submitted: SubmittedForms;
}
