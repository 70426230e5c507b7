import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { AUTOMATION_STORE, CORE } from '../../../../composition/tokens.js';
import { OPERATOR, type DeveloperId } from '../../../../domain/access.js';
import type { App } from '../../../../domain/app.js';
import type { OAuthRecords } from '../../../../domain/ports.js';
import { REDIRECT } from '../../../support/oauth-app.js';
import { Visitor } from '../../../support/panel-visitor.js';
import { overMemory, wrapped } from '../../../support/repositories.js';
import { startService, type LocalService, type TestServiceOptions } from '../../../support/service.js';
import { signedIn } from '../../../support/signed-in.js';
import { send, type Sent } from '../../../support/socket.js';
import { cookiesIn, grantsIn } from './outcome.js';

/** Fields of a form: those that are undefined are left out, those of a list are sent several times. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A registered app, or another client, as its requests need it. */
export interface Client {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** The secret with which a code is exchanged. */
export const VERIFIER = 'a-verifier-of-more-than-forty-three-characters';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** Without it, a store in memory answers each request before the next one comes. */
const LATENCY_MS = 3;
const WRITES: ReadonlySet<string | symbol> = new Set<keyof OAuthRecords>(['upsert', 'add', 'replace']);
export const FORM = 'application/x-www-form-urlencoded';

/** The service with the people who use it, and those who attack it. */
export class Market {
  /** Whatever was given out that is secret. */
  readonly secrets = new Set<string>();

  private constructor(
    readonly service: LocalService,
    readonly ada: Visitor,
    readonly bob: Visitor,
    /** Each record of the authorization server, as it was written. */
    readonly written: readonly string[],
  ) {}

  static async open(options: TestServiceOptions = {}): Promise<Market> {
    const written: string[] = [];
    const storage = wrapped(overMemory(), (port, name) => (name === 'oauthRecords' ? spied(port, written) : port));
    const settings = { LOG_LEVEL: 'debug', MCP: 'on', ...options.settings };
    const service = await startService({ repositories: storage, ...options, settings });
    const people = [new Visitor(service.url), new Visitor(service.url)] as const;
    await people[0].accept(await service.invite('ada'), 'ada@example.com');
    await people[1].accept(await service.invite('bob'), 'bob@example.com');
    return new Market(service, ...people, written);
  }

  /** Ends the service. Nothing that was sent failed inside it, and no secret stands in its log or its records. */
  async close(): Promise<void> {
    const { errors, logged } = this.service;
    await this.service.close();
    for (const visitor of [this.ada, this.bob])
      for (const [name, value] of visitor.cookies) if (!name.endsWith('.sig')) this.secrets.add(value);
    expect(errors).to.deep.equal([]);
    expect(this.written.filter((text) => this.#isTelling(text))).to.deep.equal([]);
    expect(logged.filter((text) => this.#isTelling(text))).to.deep.equal([]);
  }

  get url(): string {
    return this.service.url;
  }

  get core() {
    const { apps, connections, ...core } = this.service.container.get(CORE);
    if (apps === undefined || connections === undefined) throw new Error('the storage has no records');
    return { ...core, apps, connections };
  }

  get records(): OAuthRecords {
    const { oauthRecords } = this.service.container.get(AUTOMATION_STORE);
    if (oauthRecords === undefined) throw new Error('the storage has no records');
    return oauthRecords;
  }

  /** Returns somebody new who is signed in. */
  async member(name: string): Promise<Visitor> {
    const visitor = new Visitor(this.url);
    await visitor.accept(await this.service.invite(name), `${name}@example.com`);
    return visitor;
  }

  async register(
    kind: App['kind'],
    { by = 'ada', redirectUris = kind === 'machine' ? [] : [REDIRECT], scopes }: Partial<Registration> = {},
  ): Promise<Client> {
    const person = signedIn({ developerId: by as DeveloperId });
    const { app, secret } = await this.core.apps.register(person, {
      name: `${by}'s ${kind}`,
      kind,
      redirectUris,
      scopes,
    });
    if (secret !== undefined) this.secrets.add(secret);
    return { id: app.id, secret };
  }

  suspend(developer: string) {
    return this.core.accounts.suspend(OPERATOR, developer);
  }

  /** Sends a form to an endpoint of the server, without cookies. */
  async post(path: string, fields: Fields | string, headers: Record<string, string> = {}): Promise<Sent> {
    const body = typeof fields === 'string' ? fields : encoded(fields);
    const sent = await send(this.url, {
      method: 'POST',
      path: `/oauth${path}`,
      headers: { 'Content-Type': FORM, 'Content-Length': Buffer.byteLength(body), ...headers },
      body,
    });
    return this.#noted(sent);
  }

  /** Sends a form as this client. */
  postAs({ id, secret }: Client, path: string, fields: Fields): Promise<Sent> {
    return secret === undefined
      ? this.post(path, { client_id: id, ...fields })
      : this.post(path, fields, { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` });
  }

  /** Has the browser of a visitor opened at the request of a client. */
  async ask(client: Pick<Client, 'id'>, changes: Fields = {}, visitor = this.ada): Promise<Sent> {
    return this.#noted(await visitor.open(`/oauth/auth?${encoded({ ...requestOf(client), ...changes })}`));
  }

  /** Returns the path of the question to a person. */
  async question(client: Pick<Client, 'id'>, changes: Fields = {}, visitor = this.ada): Promise<string> {
    const path = pathOf(await this.ask(client, changes, visitor));
    await visitor.open(path);
    return path;
  }

  /** Answers a question, and goes on to the app. */
  async answer(question: string, what: 'allow' | 'cancel', visitor = this.ada): Promise<Sent> {
    return this.goOn(await visitor.submit(question, { answer: what }), visitor);
  }

  /** Follows an answer that leads back to the server. */
  async goOn(sent: Sent, visitor = this.ada): Promise<Sent> {
    return this.#noted(await visitor.open(pathOf(sent)));
  }

  /** Returns the code that an app gets when a person allows. */
  async code(client: Pick<Client, 'id'>, changes: Fields = {}, visitor = this.ada): Promise<string> {
    const sent = await this.answer(await this.question(client, changes, visitor), 'allow', visitor);
    const [code] = grantsIn(sent);
    if (code === undefined) throw new Error(`no code in ${sent.headers.get('location')}: ${sent.body}`);
    return code;
  }

  /** Exchanges a code. */
  exchange(client: Client, code: string, changes: Fields = {}): Promise<Sent> {
    return this.postAs(client, '/token', { ...this.fieldsOf(code), ...changes });
  }

  /** Returns the parameters with which a code is exchanged. */
  fieldsOf(code: string): Fields {
    return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
  }

  /** Returns what an app gets when a person allows. */
  async tokens(client: Client, changes: Fields = {}, visitor = this.ada): Promise<Tokens> {
    const { status, body } = await this.exchange(client, await this.code(client, changes, visitor));
    if (status !== 200) throw new Error(body);
    return JSON.parse(body) as Tokens;
  }

  refresh(client: Client, refreshToken: string, changes: Fields = {}): Promise<Sent> {
    return this.postAs(client, '/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });
  }

  /** Reads the market with a token. */
  read(token: string, path = '/api/automations'): Promise<Sent> {
    return send(this.url, { method: 'GET', path, headers: { Authorization: `Bearer ${token}` } });
  }

  /** Returns what happens some time later. */
  async later<Value>(seconds: number, attempt: () => Promise<Value>): Promise<Value> {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1000 });
    try {
      return await attempt();
    } finally {
      mock.timers.reset();
    }
  }

  #noted(sent: Sent): Sent {
    for (const secret of [...grantsIn(sent), ...cookiesIn(sent)]) this.secrets.add(secret);
    return sent;
  }

  #isTelling(text: string): boolean {
    return [...this.secrets].some((secret) => text.includes(secret));
  }
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
}

interface Registration {
  readonly by: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

/** Returns the parameters of a good request. */
export function requestOf({ id }: Pick<Client, 'id'>): Fields {
  return {
    client_id: id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'automations:read automations:write',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'state of the app',
  };
}

export function encoded(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Returns the path to which an answer leads. */
export function pathOf({ status, headers, body }: Sent): string {
  const place = headers.get('location');
  if (status !== 303 || place === null) throw new Error(`the answer was ${status}: ${body.slice(0, 2_000)}`);
  const { pathname, search } = new URL(place, 'http://market');
  return pathname + search;
}

/** Returns a port that notes each record that is stored, and takes its time as over a network: requests overlap. */
export function spied<Port extends object>(port: Port, written: string[]): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: readonly unknown[]) => {
        const [given] = args as readonly [{ readonly record?: unknown }];
        if (WRITES.has(name)) written.push(JSON.stringify(given.record ?? given));
        await setTimeout(LATENCY_MS);
        return value.apply(target, args) as unknown;
      };
    },
  });
}
