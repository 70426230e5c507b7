import type { IncomingMessage } from 'node:http';
import type {
  Account,
  AccountSecurity,
  AuditTrail,
  AutomationRecords,
  Caller,
  DeveloperAccounts,
  DeveloperKeys,
  DeveloperProfiles,
  DeveloperSessions,
  DeveloperWithdrawals,
  Marketplace,
  MarketplaceCategories,
} from '../../application/index.js';
import type { Context, Handler, OnError, OnRequestCompleted, RequestState } from '../http/context.js';
import type { Overload } from '../http/middleware/overload.js';
import type { Brand } from '../http/views/brand.js';
import type { Render } from '../http/views/views.js';

export type { Context, Handler };
export type Visit = RequestState;

/** The core that the panel shows, and what only its host knows. */
export interface PanelOptions {
  readonly marketplace: Marketplace;
  readonly records: AutomationRecords;
  readonly keys: DeveloperKeys;
  readonly sessions: DeveloperSessions;
  readonly profiles: DeveloperProfiles;
  readonly security: AccountSecurity;
  readonly audit: AuditTrail;
  readonly accounts: DeveloperAccounts;
  readonly withdrawals: DeveloperWithdrawals;
  readonly categories: MarketplaceCategories;
  /** Where browsers find the service, such as `https://market.example/shop`; empty if that is where it listens. */
  readonly publicUrl: string;
  /** Returns the IP address of the browser. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly overload: Overload;
  /** Called with every internal error (5xx). */
  readonly onError: OnError;
  /** Called with every request when it is over. */
  readonly onRequestCompleted: OnRequestCompleted;
  /** Whether automations can be found by words; default: yes. */
  readonly search?: boolean;
  /** Whether there is a catalogue to link to, and to lead back to after the sign-in. Default: false. */
  readonly catalogue?: boolean;
  /** Default: the name and the drawing of the package. */
  readonly brand?: Brand;
  /** Default: the clock of the machine. */
  readonly now?: () => Date;
}

export interface Panel extends Required<PanelOptions> {
  /** The start of every address of the panel: `/panel`, below the path of the public URL. */
  readonly at: string;
  /** The public path of the service, with which every address begins. */
  readonly base: string;
  readonly render: Render;
}

/** A developer who is signed in. */
export interface SignedInDeveloper {
  readonly account: Account;
  readonly caller: Caller;
  /** The token in every form of this session, and of no other. */
  readonly formToken: string;
}
