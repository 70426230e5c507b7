/**
 * Accounts of developers: invitations, passwords, sign-in, sessions, profiles, and the apps that they register or let
 * act for them. The panel uses them, and a host with our sign-in; `newCore` of `automation-marketplace` makes them all.
 * @module automation-marketplace/accounts
 */
export { DeveloperAccounts } from './developer-accounts.js';
export type {
  AccountPorts,
  AccountsRequest,
  DeveloperAccountsOptions,
  InviteOptions,
  Namesake,
  SuspendOptions,
  Suspension,
  Welcome,
} from './developer-accounts.js';
export type { Account } from './account.js';
export type { HostDeveloper, HostSubject, HostUser } from './host-user.js';
export { Identities } from './identities.js';
export { AccountSecurity } from './account-security.js';
export type { AccountSecurityOptions, ChangeOutcome, OwnSession, SignInChange } from './account-security.js';
export { DeveloperProfiles } from './developer-profiles.js';
export type { DeveloperProfilesOptions, UncheckedProfile } from './developer-profiles.js';
export { DeveloperSessions } from './developer-sessions.js';
export type { DeveloperSessionsOptions, SignedIn, SignInOutcome } from './developer-sessions.js';
export { Passwords } from './passwords.js';
export type { PasswordsOptions } from './passwords.js';
export { LoginThrottle } from './login-throttle.js';
export type { LoginThrottleOptions } from './login-throttle.js';
export type { QueuePlace } from './fair-queue.js';
export type { LoginAttempt } from './login-throttle.js';
export { AccountRightsVerifier } from './account-rights.js';
export type { Accounts } from './account-rights.js';
export { DeveloperApps } from './developer-apps.js';
export type { AppRequest, AppsRequest, DeveloperAppsOptions, RegisteredApp } from './developer-apps.js';
export { Connections } from './connections.js';
export type { AccessTokenClaims, ConnectionEnd, ConnectionsOptions, Consent } from './connections.js';
export { APP_KINDS } from '../domain/app.js';
export type { AgentAddress, App, AppId, AppKind } from '../domain/app.js';
export type { ConnectedApp, Connection, ConnectionId, TokenAudience } from '../domain/connection.js';
