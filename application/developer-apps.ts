import { isOperator, parseDeveloperId, requireActor, requirePerson } from '../domain/access.js';
import type { Actor, Person } from '../domain/access.js';
import {
  agentAddress,
  checkAppKind,
  checkAppName,
  checkRedirectUris,
  noSuchApp,
  type App,
  type AppId,
} from '../domain/app.js';
import type { AuditAction } from '../domain/audit.js';
import { DomainError, Violations } from '../domain/errors.js';
import { requireOptions } from '../domain/options.js';
import { newPage } from '../domain/page.js';
import type { OAuthRecord, OAuthRecords } from '../domain/ports.js';
import { parseScopes } from '../domain/scope.js';
import { uuidOf } from '../domain/uuid.js';
import type { Accounts } from './account-rights.js';
import { Context, type ContextOptions } from './context.js';
import { beforeOf, cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { randomBytes, sha256, timingSafeEqual } from './defaults.js';
import { allowedScopes } from './key-request.js';
import { APP, appOf, findActiveApp, recordOfApp } from './oauth-store.js';

/** The clock, the source of ids, and the audit. */
export interface DeveloperAppsOptions extends ContextOptions {
  /** The name of the marketplace. No app may look as if it were the marketplace itself. */
  readonly brandName?: string | undefined;
}

/** The properties of an app, not checked yet. */
export interface AppRequest {
  /** 1 to 100 characters, which people see when they are asked for their consent. */
  readonly name: string;
  /** `web`, `native` or `machine`. */
  readonly kind: string;
  /** Where browsers are led back to: 1 to 10 addresses; none for a machine. */
  readonly redirectUris: readonly string[];
  /** The most that the app may ask for; those of the developer's role by default. */
  readonly scopes?: readonly string[] | undefined;
}

/** An app with a new secret, which is returned only here; a native app has none. */
export interface RegisteredApp {
  readonly app: App;
  readonly secret?: string;
}

/** A part of the apps, the latest first. */
export interface AppsRequest extends CursorRequest {
  /** For the operator: only the apps of this developer. */
  readonly developer?: string | undefined;
}

/** Apps of one developer. */
const MAX_APPS = 50;
/** How often a change is made again after others. */
const MAX_ATTEMPTS = 5;
/** The random bytes of a secret: 256 bits, as 43 characters of base64url (RFC 4648). */
const SECRET_BYTES = 32;

/**
 * The apps that developers register, as clients of the authorization server. A person manages their own. An app of
 * another developer is reported as not found.
 */
export class DeveloperApps {
  readonly #context: Context;
  readonly #brandName: string | undefined;

  /** Uses the records and the developers of one store. */
  constructor(
    private readonly records: OAuthRecords,
    private readonly developers: Accounts,
    options: DeveloperAppsOptions = {},
  ) {
    this.#context = new Context(options);
    this.#brandName = options.brandName;
  }

  /**
   * Registers an app of the person. Fails as `invalid`, or as `conflict` (`too-many-apps`) when they have 50 apps.
   */
  async register(by: Person, request: AppRequest): Promise<RegisteredApp> {
    requirePerson(by);
    const asked = parseApp(by, request, this.#brandName);
    const app = {
      ...asked,
      id: this.#context.newId() as AppId,
      developerId: by.developerId,
      createdAt: this.#context.now(),
    };
    const registered = app.kind === 'native' ? { app } : withSecret(app);
    const entries = this.#context.audited(by, 'app-registered', by.developerId, { subject: app.id });
    const addition = { record: recordOfApp(registered.app), max: MAX_APPS, ...entries };
    if (!(await this.records.add(addition))) throw tooManyApps();
    return registered;
  }

  /** Returns apps, the latest registered first: the operator gets those of all developers, a person their own. */
  async list(by: Actor, request: AppsRequest = {}): Promise<CursorPage<App>> {
    requireActor(by);
    requireOptions('apps.list', request, { developer: true, limit: true, before: true });
    const { developer, limit } = request;
    const page = newPage({ limit });
    const named = developer === undefined ? undefined : parseDeveloperId(developer);
    const developerId = isOperator(by) ? named : by.developerId;
    const query = { kind: APP, developerId, limit: page.limit + 1, before: beforeOf(request) };
    const records = await this.records.list(query);
    return cursorPage(records.map(appOf), page.limit);
  }

  /** Returns an app. Fails as `not-found`, also for an app of another developer. */
  async read(by: Actor, id: string): Promise<App> {
    requireActor(by);
    return appOf(await this.#find(by, id));
  }

  /** Changes name, addresses and scopes of one's own app; its kind stays. Fails as `not-found` or `invalid`. */
  async change(by: Person, id: string, request: Omit<AppRequest, 'kind'>): Promise<void> {
    requirePerson(by);
    await this.#replace(by, id, 'app-changed', (old) => ({
      ...old,
      ...parseApp(by, { ...request, kind: old.kind }, this.#brandName),
    }));
  }

  /**
   * Gives one's own app a new secret; the old one stops working at once. Fails as `not-found`, or as `conflict`
   * (`app-has-no-secret`) for a native app.
   */
  async renewSecret(by: Person, id: string): Promise<RegisteredApp> {
    requirePerson(by);
    const secret = newSecret();
    const app = await this.#replace(by, id, 'app-secret-renewed', (old) => {
      if (old.secretHash === undefined) throw hasNoSecret();
      return { ...old, secretHash: sha256(secret) };
    });
    return { app, secret };
  }

  /**
   * Removes an app: it gets no more tokens, and all that it has end. The operator also names an agent, by the address
   * of its metadata document: its connections end, and people may connect it again. Fails as `not-found`.
   */
  async revoke(by: Actor, id: string): Promise<void> {
    requireActor(by);
    const agent = agentAddress(id);
    if (isOperator(by) && agent !== undefined) {
      const revoked = this.#context.audited(by, 'app-revoked', undefined, { subject: agent });
      if ((await this.records.revokeByClientId({ clientId: agent, ...revoked })) === 0) throw noSuchApp();
      return;
    }
    const app = await this.read(by, id);
    const revoked = this.#context.audited(by, 'app-revoked', app.developerId, { subject: app.id });
    if (!(await this.records.destroy({ kind: APP, id: app.id, ...revoked }))) throw noSuchApp();
    // Without the app these are of no use any more. If this fails, they go when they expire.
    await this.records.revokeByClientId({ clientId: app.id, entries: [] });
  }

  /** Returns the app with this `client_id`; undefined when there is none, or its developer is suspended. */
  async findClient(clientId: string): Promise<App | undefined> {
    return findActiveApp(this.records, this.developers, clientId);
  }

  /**
   * Stores a change of one's own app, which is made again when another came before it, also one that the cache did not
   * know. An app that was revoked meanwhile is not stored again.
   */
  async #replace(by: Person, id: string, action: AuditAction, changed: (old: App) => App): Promise<App> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const old = await this.#find(by, id);
      const app = changed(appOf(old));
      const entries = this.#context.audited(by, action, app.developerId, { subject: app.id });
      if (await this.records.replace(recordOfApp(app), { from: old.content, ...entries })) return app;
    }
    throw changedMeanwhile();
  }

  /** Returns the record of an app, as `read` does. Asks the store for no id that it could not have. */
  async #find(by: Actor, id: string): Promise<OAuthRecord> {
    const known = uuidOf(id);
    const record = known === undefined ? undefined : await this.records.find(APP, known);
    if (record === undefined || !(isOperator(by) || record.developerId === by.developerId)) throw noSuchApp();
    return record;
  }
}

/** Returns whether this is the secret whose hash an app has. The time does not tell how much of it is right. */
export function isSecretOf(secretHash: string, secret: string): boolean {
  const [sent, stored] = [Buffer.from(sha256(secret)), Buffer.from(secretHash)];
  return sent.length === stored.length && timingSafeEqual(sent, stored);
}

function newSecret(): string {
  return Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
}

function withSecret(app: App): RegisteredApp {
  const secret = newSecret();
  return { app: { ...app, secretHash: sha256(secret) }, secret };
}

/** @throws DomainError `invalid` that lists every rule the request breaks. */
function parseApp(
  { role }: Person,
  request: AppRequest,
  brandName: string | undefined,
): Pick<App, 'name' | 'kind' | 'redirectUris' | 'scopes'> {
  requireOptions('apps.register', request, { name: true, kind: true, redirectUris: true, scopes: true });
  const { scopes } = request;
  const violations = new Violations();
  const name = checkAppName(request.name, violations.field('name'), brandName);
  const kind = checkAppKind(request.kind, violations.field('kind'));
  const redirectUris = checkRedirectUris(request.redirectUris, kind, violations.field('redirectUris'));
  const allowed = violations.collect(() => allowedScopes(scopes && parseScopes(scopes), role));
  violations.throwIfAny('the app');
  return { name, kind, redirectUris, scopes: allowed ?? [] };
}

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', 'revised-meanwhile', 'the app was changed meanwhile; look at it, and try again');
}

function tooManyApps(): DomainError {
  const message = `a developer has at most ${MAX_APPS} apps; revoke one that is not needed`;
  return new DomainError('conflict', 'too-many-apps', message);
}

function hasNoSecret(): DomainError {
  const message = 'a native app has no secret, since every copy of the program would show it';
  return new DomainError('conflict', 'app-has-no-secret', message);
}
