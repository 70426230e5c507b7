import {
  developerId as developerIdOf,
  requirePerson,
  type Caller,
  type Origin,
  type Person,
} from '../domain/access.js';
import type { App } from '../domain/app.js';
import {
  connectedApps,
  CONNECTION_LIFETIME_MS,
  MAX_CONNECTIONS,
  type ConnectedApp,
  type Connection,
  type ConnectionId,
  type TokenAudience,
} from '../domain/connection.js';
import { DomainError } from '../domain/errors.js';
import { requireOptions } from '../domain/options.js';
import { newPage } from '../domain/page.js';
import type { Audited, OAuthRecord, OAuthRecords } from '../domain/ports.js';
import { boundedScopes } from '../domain/role.js';
import type { Scope } from '../domain/scope.js';
import { isUuid, uuidOf } from '../domain/uuid.js';
import { withAccountRights, type Accounts } from './account-rights.js';
import { Context, type ContextOptions } from './context.js';
import { ConnectionUses } from './connection-uses.js';
import { beforeOf, cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { CONNECTION, connectionOf, findActiveApp, recordOfConnection } from './oauth-store.js';

/** The clock, the source of ids, and the audit. */
export type ConnectionsOptions = ContextOptions;

/** What a person consents to. */
export interface Consent {
  /** The id of a registered app, or the address of a metadata document. */
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly audience: TokenAudience;
}

/** What a valid access token says. */
export interface AccessTokenClaims {
  readonly clientId: string;
  /** The consent on which it rests; undefined for a machine, which acts for its own developer. */
  readonly connectionId?: string | undefined;
  readonly scopes: readonly Scope[];
}

/** Why a connection ended, if not by its developer. */
export type ConnectionEnd = 'disconnected-by-app' | 'token-reused';

/** The connected apps: those that act for a developer with their consent. A person manages their own. */
export class Connections {
  readonly #context: Context;
  readonly #uses: ConnectionUses;

  /** Uses the records and the developers of one store. Wrap the storage in `cachedStorage`, or each token asks it. */
  constructor(
    private readonly records: OAuthRecords,
    private readonly developers: Accounts,
    options: ConnectionsOptions = {},
  ) {
    this.#context = new Context(options);
    this.#uses = new ConnectionUses(records);
  }

  /**
   * Stores a consent, for those of the scopes that the role of the person allows. Ends the oldest connection of a
   * person who has 100. Fails as `forbidden` when the role allows none of the scopes.
   */
  async connect(by: Person, { scopes, ...consent }: Consent): Promise<Connection> {
    const granted = this.grantable(by, scopes);
    const connectedAt = this.#context.now();
    const expiresAt = new Date(connectedAt.getTime() + CONNECTION_LIFETIME_MS);
    const id = this.#context.newId() as ConnectionId;
    const connection = { ...consent, id, developerId: by.developerId, scopes: granted, connectedAt, expiresAt };
    const entries = this.#context.audited(by, 'app-connected', by.developerId, { subject: id });
    await this.records.add({ record: recordOfConnection(connection), ...entries });
    await this.#endOldest(by);
    return connection;
  }

  /** Returns the scopes that a person can grant. Fails as `forbidden` when their role allows none of them. */
  grantable(by: Person, scopes: readonly Scope[]): readonly Scope[] {
    requirePerson(by);
    const granted = boundedScopes(scopes, by.role);
    if (granted.length === 0) throw nothingAllowed(scopes);
    return granted;
  }

  /** Returns the connections of a person, the latest first. */
  async list(by: Person, request: CursorRequest = {}): Promise<CursorPage<Connection>> {
    requirePerson(by);
    requireOptions('connections.list', request, { limit: true, before: true });
    const page = newPage({ limit: request.limit });
    const query = {
      kind: CONNECTION,
      developerId: by.developerId,
      limit: page.limit + 1,
      before: beforeOf(request),
    };
    return cursorPage((await this.records.list(query)).map(connectionOf), page.limit);
  }

  /** Returns the apps that are connected to a person, the one with the latest connection first. */
  async listApps(by: Person, request: CursorRequest = {}): Promise<CursorPage<ConnectedApp>> {
    requirePerson(by);
    const [page, before] = [newPage({ limit: request.limit }), beforeOf(request)];
    const apps = connectedApps(await this.#all(by));
    return cursorPage(before === undefined ? apps : apps.filter(({ id }) => id < before), page.limit);
  }

  /** Returns the connected app that has one's own connection of this id. Fails as `not-found`. */
  async readApp(by: Person, id: string): Promise<ConnectedApp> {
    const { clientId } = await this.read(by, id);
    const app = connectedApps(await this.#all(by)).find((one) => one.clientId === clientId);
    if (app === undefined) throw noSuchConnection();
    return app;
  }

  /** Ends all connections of the app that has one's own connection of this id. Fails as `not-found`. */
  async disconnectApp(by: Person, id: string): Promise<void> {
    const { connections } = await this.readApp(by, id);
    for (const connection of connections) await this.#endBy(by, connection.id);
  }

  /** A person has no more than these, except for a moment. */
  async #all(by: Person): Promise<readonly Connection[]> {
    const query = { kind: CONNECTION, developerId: by.developerId, limit: MAX_CONNECTIONS };
    return (await this.records.list(query)).map(connectionOf);
  }

  /** Returns one's own connection. Fails as `not-found`. */
  async read(by: Person, id: string): Promise<Connection> {
    requirePerson(by);
    const known = uuidOf(id);
    const record = known === undefined ? undefined : await this.records.find(CONNECTION, known);
    if (record?.developerId !== by.developerId) throw noSuchConnection();
    return connectionOf(record);
  }

  /** Ends one's own connection, and all its tokens. Fails as `not-found`. */
  async disconnect(by: Person, id: string): Promise<void> {
    const connection = await this.read(by, id);
    if (!(await this.#endBy(by, connection.id))) throw noSuchConnection();
  }

  /** Ends a connection because its app asked for that, or a code or token was used twice. Safe to repeat. */
  async end(id: string, cause: ConnectionEnd, origin: Origin): Promise<void> {
    const { developerId } = (await this.records.find(CONNECTION, id)) ?? {};
    const action = cause === 'token-reused' ? 'app-token-reused' : 'app-disconnected';
    const event = { actor: 'anonymous', action, developerId, subject: id as ConnectionId } as const;
    await this.#end(id, this.#context.auditedAs([event], origin));
  }

  /** Returns whether apps can act for a developer, who need not have an account: not while they are suspended. */
  async canActFor(developerId: string): Promise<boolean> {
    const id = developerIdOf(developerId);
    return id !== undefined && (await this.developers.find(id))?.suspendedAt === undefined;
  }

  /**
   * Returns the caller for whom an app acts; undefined when the consent or the app was revoked, or when the developer,
   * or the one who registered the app, is suspended. Its scopes are at most those of the consent, of the app, and of
   * the developer's role.
   */
  async findCaller({ clientId, connectionId, scopes: asked }: AccessTokenClaims): Promise<Caller | undefined> {
    const app = await findActiveApp(this.records, this.developers, clientId);
    if (app === undefined && isUuid(clientId)) return undefined;
    const record = connectionId === undefined ? undefined : await this.#findRecord(connectionId, clientId);
    const rights = connectionId === undefined ? ofMachine(app) : record && connectionOf(record);
    if (rights === undefined) return undefined;
    const allowed = [rights.scopes, app?.scopes ?? rights.scopes];
    const scopes = asked.filter((scope) => allowed.every((some) => some.includes(scope)));
    const owner = { developerId: rights.developerId, scopes, credentialId: clientId };
    const caller = await withAccountRights(owner, this.developers);
    if (caller !== undefined && record !== undefined) this.#uses.note(record, this.#context.now());
    return caller;
  }

  /** Returns the record of a connection that holds. */
  async #findRecord(connectionId: string, clientId: string): Promise<OAuthRecord | undefined> {
    const record = isUuid(connectionId) ? await this.records.find(CONNECTION, connectionId) : undefined;
    if (record?.clientId !== clientId) return undefined;
    return this.#context.now() < connectionOf(record).expiresAt ? record : undefined;
  }

  async #endOldest(by: Person): Promise<void> {
    const query = { kind: CONNECTION, developerId: by.developerId };
    const kept = await this.records.list({ ...query, limit: MAX_CONNECTIONS });
    const last = kept[MAX_CONNECTIONS - 1];
    if (last === undefined) return;
    for (const { id } of await this.records.list({ ...query, before: last.id, limit: MAX_CONNECTIONS }))
      await this.#endBy(by, id as ConnectionId);
  }

  #endBy(by: Person, id: ConnectionId): Promise<boolean> {
    return this.#end(id, this.#context.audited(by, 'app-disconnected', by.developerId, { subject: id }));
  }

  /**
   * Ends a connection: nothing that rests on it is accepted any more. Then removes its codes and tokens; if that fails,
   * they go when they expire, or with the next call. Returns false when it had ended before.
   */
  async #end(id: string, entries: Audited): Promise<boolean> {
    const isFirst = await this.records.destroy({ kind: CONNECTION, id, ...entries });
    await this.records.revokeByGrantId(id);
    return isFirst;
  }
}

/** For whom a token acts, and how far. */
type Rights = Pick<Connection, 'developerId' | 'scopes'>;

/** A machine acts for the developer who registered it. */
function ofMachine(app: App | undefined): Rights | undefined {
  return app?.kind === 'machine' ? app : undefined;
}

function nothingAllowed([scope = 'automations:read']: readonly Scope[]): DomainError {
  return new DomainError('forbidden', scope, 'your role allows nothing of what the app asks for');
}

function noSuchConnection(): DomainError {
  return new DomainError('not-found', 'no-such-connection', 'there is no connected app with this id');
}
