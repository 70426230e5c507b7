import { otherCurrency, parseCurrency, type Currency } from '../domain/currency.js';
import { requireOptions, requireParts } from '../domain/options.js';
import type { Storage } from '../domain/ports.js';
import { AccountSecurity } from './account-security.js';
import { AuditTrail, type AuditTrailOptions } from './audit-trail.js';
import { AutomationRecords } from './automation-records.js';
import { AutomationTransfer } from './automation-transfer.js';
import { Catalogue } from './catalogue.js';
import { Connections } from './connections.js';
import { DeveloperAccounts } from './developer-accounts.js';
import { DeveloperApps } from './developer-apps.js';
import { DeveloperKeys } from './developer-keys.js';
import { DeveloperProfiles } from './developer-profiles.js';
import { DeveloperSessions } from './developer-sessions.js';
import { FairSearch } from './fair-search.js';
import { requireNewIds } from './host-sources.js';
import { Identities } from './identities.js';
import { LoginThrottle } from './login-throttle.js';
import { Maintenance } from './maintenance.js';
import { MarketplaceCategories } from './marketplace-categories.js';
import { Marketplace, type MarketplaceOptions } from './marketplace.js';
import { Passwords } from './passwords.js';
import { Reports } from './reports.js';
import { ScanningSearch } from './scanning-search.js';
import { StoredApiKeyVerifier } from './stored-api-key-verifier.js';

/** The ports of one store. */
export type CorePorts = Omit<Storage, 'supports' | 'recordedCurrency' | 'prepare' | 'ping' | 'check' | 'close'> &
  Partial<Pick<Storage, 'recordedCurrency'>>;

/** The options of the core. */
export interface CoreOptions extends Pick<
  MarketplaceOptions,
  'currency' | 'now' | 'newId' | 'rules' | 'fileInspector'
> {
  /** The name on the pages. No developer may have it as a public name, or one that looks like it. */
  readonly brandName?: string | undefined;
  /** Gets the entries that could not be stored, and the error. */
  readonly onAuditError?: AuditTrailOptions['onError'] | undefined;
  /**
   * Returns whether many people share an address, such as those of an office: sign-ins from there are slowed after ten
   * times as many failures. Default: none is shared.
   */
  readonly isSharedNetwork?: ((address: string) => boolean) | undefined;
  /** Hashes the passwords; a process has one. Default: `new Passwords()`. */
  readonly passwords?: Passwords | undefined;
}

export const CORE_OPTIONS = {
  currency: true,
  now: true,
  newId: true,
  rules: true,
  fileInspector: true,
  brandName: true,
  onAuditError: true,
  isSharedNetwork: true,
  passwords: true,
} as const;

/** The ports that every store has. */
const PORTS = ['automations', 'archive', 'categories', 'keys', 'developers', 'sessions', 'auditLog'] as const;

/** The use cases over one store. */
export interface Core {
  readonly marketplace: Marketplace;
  readonly catalogue: Catalogue;
  readonly records: AutomationRecords;
  /** Exports and imports automations. */
  readonly transfer: AutomationTransfer;
  readonly keys: DeveloperKeys;
  /** Takes the keys of `keys`. */
  readonly verifier: StoredApiKeyVerifier;
  readonly accounts: DeveloperAccounts;
  /** The accounts of the users of an issuer or of a host. */
  readonly identities: Identities;
  readonly sessions: DeveloperSessions;
  readonly security: AccountSecurity;
  /** The names of developers in public. */
  readonly profiles: DeveloperProfiles;
  readonly categories: MarketplaceCategories;
  readonly audit: AuditTrail;
  /** The apps that developers register; undefined on a storage without records of an authorization server. */
  readonly apps: DeveloperApps | undefined;
  /** The apps that act for developers with their consent; undefined in the same case. */
  readonly connections: Connections | undefined;
  /** Reports of automations; undefined on a storage without them. */
  readonly reports: Reports | undefined;
  /** Its `sweep` runs about once a minute. */
  readonly maintenance: Maintenance;
}

/**
 * The use cases as adapters take them: the public members of each, so that a host can hand in a decorator of one, such
 * as `{ ...core, marketplace: traced(core.marketplace) }`.
 */
export type UseCases = {
  readonly [Name in keyof Core]: Core[Name] extends object
    ? Pick<Core[Name], keyof Core[Name]>
    : Pick<NonNullable<Core[Name]>, keyof NonNullable<Core[Name]>> | undefined;
};

/**
 * Returns the use cases over a store, without a container: what a host hands to the API, the panel and the catalogue.
 * The currency is the one that the store has recorded: prepare it before. Without a search the core finds with
 * `ScanningSearch`. @throws TypeError for an unknown option, for ports that are missing, and for a clock or ids that
 * are none; DomainError `invalid` when there is no such currency, and
 * `conflict`, code `other-currency`, when the store has recorded another one.
 */
export function newCore(ports: CorePorts, options: CoreOptions = {}): Core {
  requireOptions('newCore', options, CORE_OPTIONS);
  requireParts('newCore', 'the ports of a store', ports, PORTS);
  requireNewIds(options.newId);
  const { automations, archive, categories, developers, oauthRecords, reports } = ports;
  const search = new FairSearch(ports.search ?? new ScanningSearch(archive));
  const { brandName, now, newId, rules, fileInspector, onAuditError, isSharedNetwork } = options;
  const { passwords = new Passwords() } = options;
  const currency = currencyFor(ports.recordedCurrency?.(), options.currency);
  const audit = new AuditTrail(ports.auditLog, { now, newId, onError: onAuditError });
  const context = { now, newId, audit };
  const market = { ...context, search, currency, rules, fileInspector, reports };
  const marketplace = new Marketplace(automations, categories, market);
  const keys = new DeveloperKeys(ports.keys, { ...context, developers });
  const accounts = new DeveloperAccounts(ports, context);
  const profiles = new DeveloperProfiles(developers, { ...context, brandName });
  const signIn = { ...context, passwords, throttle: new LoginThrottle({ isSharedNetwork }) };
  return {
    marketplace,
    catalogue: new Catalogue({ automations, archive, categories, search, reports }, { currency }),
    records: new AutomationRecords(archive, search),
    transfer: new AutomationTransfer(marketplace, { automations, archive }, audit),
    keys,
    verifier: new StoredApiKeyVerifier(ports.keys, { developers, now }),
    accounts,
    identities: new Identities(developers, context),
    sessions: new DeveloperSessions(developers, ports.sessions, signIn),
    security: new AccountSecurity(developers, ports.sessions, signIn),
    profiles,
    categories: new MarketplaceCategories(categories, automations, audit),
    audit,
    apps: oauthRecords && new DeveloperApps(oauthRecords, developers, { ...context, brandName }),
    connections: oauthRecords && new Connections(oauthRecords, developers, context),
    reports: reports && new Reports({ automations, archive, reports }, marketplace, context),
    maintenance: new Maintenance(ports, { ...context, keys, accounts }),
  };
}

function currencyFor(recorded: Currency | undefined, asked: string | undefined): Currency | undefined {
  const currency = asked === undefined ? recorded : parseCurrency(asked);
  if (recorded !== undefined && currency !== undefined && currency !== recorded)
    throw otherCurrency(recorded, currency);
  return currency;
}
