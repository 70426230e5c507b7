import { randomBytes, randomUUID } from 'node:crypto';
import { OPERATOR, SCOPES, type Automation, type UseCases } from '../../../application/index.js';
import type { Passwords } from '../../../application/accounts.js';
import type { DeveloperId } from '../../../application/index.js';
import { fileInspector } from '../../../composition/service/file-inspector.js';
import { CORE } from '../../../composition/tokens.js';
import { newAuditEntry, type AuditEntryId } from '../../../domain/audit.js';
import { MAX_FILE_BYTES, type FileDraft } from '../../../domain/file.js';
import { Visitor } from '../panel-visitor.js';
import type { Repositories } from '../repositories.js';
import { signInSettings, startScriptedIssuer, tokens, type ScriptedIssuer } from '../scripted-issuer.js';
import { signedIn } from '../signed-in.js';
import { startService, type LocalService, type Settings } from '../service.js';
import {
  automationOf,
  CATEGORIES,
  idOf,
  KEY_NAME,
  NAMES,
  publicName,
  REASON,
  REDIRECT_URIS,
  WEBSITE,
  withWorkflow,
} from './contents.js';
import { inviting } from '../../contracts/developers.js';
import { start } from '../../contracts/sessions.js';

const DAY_MS = 86_400_000;
const BATCH = 100;
/** Two less than a developer may have. */
const KEYS = 98;
/** Two less than a developer may have. */
const APPS = 48;
const CONNECTIONS = 100;
const SESSIONS = 50;
const WITHDRAWN = 40;
/** More than a page reads. */
const AUDIT_ENTRIES = 1_200;

const SELLER = signedIn({ developerId: NAMES.seller });
const APP = { name: KEY_NAME, kind: 'web', redirectUris: REDIRECT_URIS } as const;

/** Every feature that adds routes. */
const SETTINGS = {
  CATALOGUE: 'public',
  N8N_URLS: 'https://n8n.example',
  OAUTH_ISSUER: 'https://issuer.example',
  OAUTH_AUDIENCE: 'https://market.example',
  METRICS_TOKEN: 'the-token-of-the-metrics',
};

const TEXT_FILE = { name: '"'.repeat(96) + '.txt', bytes: Buffer.alloc(MAX_FILE_BYTES, 'a') };

export interface StageOptions {
  readonly repositories: Repositories;
  readonly automations: number;
  readonly accounts: number;
  /** Quick ones by default. */
  readonly passwords?: Passwords;
  /** In addition to every feature. */
  readonly settings?: Settings;
}

export interface Member {
  readonly id: DeveloperId;
  readonly visitor: Visitor;
}

/** The service with every feature over the longest content that is legal, and visitors of each kind. */
export class Stage {
  readonly metricsToken = SETTINGS.METRICS_TOKEN;
  readonly core: UseCases;
  #made = 0;

  private constructor(
    readonly service: LocalService,
    /** Those on sale; the ones with even numbers are the seller's. */
    private readonly automations: readonly Automation[],
    private readonly issuer: ScriptedIssuer,
    readonly visitors: Readonly<Record<'buyer' | 'seller' | 'operator', Visitor>>,
    readonly keys: { readonly reading: string; readonly writing: string },
  ) {
    this.core = service.container.get(CORE);
  }

  static async open({ repositories, automations, accounts, passwords, settings }: StageOptions): Promise<Stage> {
    const issuer = await startScriptedIssuer();
    const all = { ...SETTINGS, ...signInSettings(issuer.url), ...settings };
    const options = { repositories, passwords, categories: CATEGORIES, fileInspector };
    const service = await startService({ ...options, settings: all });
    const visitors = {
      buyer: await signedUp(service, NAMES.buyer, 'buyer'),
      seller: await signedUp(service, NAMES.seller, 'developer'),
      operator: await signedUp(service, NAMES.operator, 'operator'),
    };
    const [reading = '', writing = ''] = await Promise.all(SCOPES.map((scope) => service.key(NAMES.seller, [scope])));
    const onSale = Array.from({ length: automations }, (_, n) => automationOf(n));
    const stage = new Stage(service, onSale, issuer, visitors, { reading, writing });
    await stage.#addDevelopers(accounts);
    await stage.#fill();
    return stage;
  }

  /** Returns an automation of the seller. Its text is of another kind for each of five numbers in a row. */
  own(n: number): Automation {
    return this.automations[(2 * n) % this.automations.length] as Automation;
  }

  /** Puts another automation on sale. From then on, nothing that was cached for a list is of use. */
  async offer(developerId: DeveloperId = NAMES.seller): Promise<Automation> {
    const automation = { ...automationOf(this.#made), developerId, createdAt: new Date(), updatedAt: new Date() };
    this.#made += 1;
    await this.service.repositories.automations.add([{ automation }]);
    return automation;
  }

  /** Gives away an automation with the largest file. */
  async gift(file: FileDraft = TEXT_FILE): Promise<Automation> {
    const draft = { title: 'a', description: 'a', price: 0, categoryId: CATEGORIES[0]?.id ?? '', file };
    return this.core.marketplace.createAutomation({ developerId: NAMES.seller, scopes: SCOPES }, draft);
  }

  /** Returns an automation with the longest reports: as many as an operator sees on a page. */
  async reported(): Promise<Automation> {
    const automation = await this.gift();
    const report = { kind: 'dangerous', text: '"'.repeat(1_000) };
    for (let n = 0; n < 30; n += 1) await this.core.reports?.report({ isVisitor: true }, automation.id, report);
    return automation;
  }

  /** Issues a key to the seller, and returns its id. Keys that were issued for earlier requests end. */
  async newKey(): Promise<string> {
    await this.makeRoomForKey();
    return (await this.core.keys.issue(OPERATOR, { developer: NAMES.seller, name: KEY_NAME })).key.id;
  }

  async makeRoomForKey(): Promise<void> {
    const alive = await this.core.keys.listActive(OPERATOR, NAMES.seller);
    for (const { id } of alive.slice(0, -KEYS)) await this.core.keys.revoke(OPERATOR, id);
  }

  /** Registers an app of the seller, and returns its id. Apps that were registered for earlier requests end. */
  async newApp(): Promise<string> {
    await this.makeRoomForApp();
    return (await this.#oauth().apps.register(SELLER, APP)).app.id;
  }

  async makeRoomForApp(): Promise<void> {
    const { apps } = this.#oauth();
    const { items } = await apps.list(SELLER, { limit: 100 });
    for (const { id } of items.slice(0, -APPS)) await apps.revoke(OPERATOR, id);
  }

  /** Connects an app to the seller, and returns the id of the connection. The oldest one ends. */
  async newConnection(): Promise<string> {
    const clientId = `https://a.example/${'a'.repeat(482)}`;
    const consent = { clientId, name: KEY_NAME, scopes: SCOPES, audience: 'agents' } as const;
    return (await this.#oauth().connections.connect(SELLER, consent)).id;
  }

  /** Has an app ask in the browser of the seller, and returns the address of the question. */
  async newQuestion(): Promise<string> {
    const query = new URLSearchParams({
      client_id: await this.newApp(),
      response_type: 'code',
      redirect_uri: REDIRECT_URIS[9] ?? '',
      scope: SCOPES.join(' '),
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const { status, headers } = await this.visitors.seller.open(`/oauth/auth?${query.toString()}`);
    const place = headers.get('location');
    if (status !== 303 || place === null) throw new Error(`a request of an app was answered ${status}`);
    return place;
  }

  /** Returns a developer who has just signed in. */
  async newMember(): Promise<Member> {
    this.#made += 1;
    const id = idOf(`member-${this.#made}`);
    return { id, visitor: await signedUp(this.service, id, 'developer') };
  }

  /** Adds a session of a developer, and returns its hash. It is older than that of the visitor, who stays signed in. */
  async newSession(developerId: DeveloperId = NAMES.seller): Promise<string> {
    const hash = randomBytes(32).toString('hex');
    const [createdAt, until] = [new Date(Date.now() - DAY_MS / 2), new Date(Date.now() + DAY_MS / 2)];
    await start(this.service.repositories, { hash, developerId, createdAt, until, address: '2001:db8::1' });
    return hash;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.issuer.close();
  }

  /** Returns a browser that an issuer sends back with as many claims as it may, and where to. */
  async backFromIssuer(): Promise<{ readonly browser: Visitor; readonly path: string }> {
    const { issuer, service } = this;
    const browser = new Visitor(service.url);
    const { headers } = await browser.open('/panel/sign-in/organisation');
    const { searchParams: asked } = new URL(headers.get('location') ?? '');
    const groups = [...Array.from({ length: 20_000 }, (_, n) => `"group ${n}`), 'admins'];
    const claims = issuer.claims(asked.get('nonce') ?? '', { groups, sub: 'a'.repeat(255), sid: 'a'.repeat(255) });
    issuer.answer = tokens({ access_token: 'a', token_type: 'Bearer', id_token: await issuer.sign(claims) });
    const query = new URLSearchParams({ code: 'a'.repeat(2_000), state: asked.get('state') ?? '', iss: issuer.url });
    return { browser, path: `/panel/signed-in?${query.toString()}` };
  }

  #oauth() {
    const { apps, connections } = this.core;
    if (apps === undefined || connections === undefined) throw new Error('the storage has no records of apps');
    return { apps, connections };
  }

  async #addDevelopers(accounts: number): Promise<void> {
    const { developers } = this.service.repositories;
    const until = new Date(Date.now() + DAY_MS);
    const others = [...NAMES.others, ...Array.from({ length: accounts }, (_, n) => idOf(`account-${n}`))];
    for (const id of others)
      await developers.invite(id, inviting({ hash: randomUUID(), until }, new Date(), 'developer'));
    for (const [n, id] of [NAMES.seller, ...others].entries())
      await developers.setProfile(id, { profile: { publicName: publicName(n), website: WEBSITE }, entries: [] });
  }

  async #fill(): Promise<void> {
    const { automations, auditLog } = this.service.repositories;
    const drafts = this.automations.map((automation, n) => (n % 2 === 0 ? { automation } : withWorkflow(automation)));
    for (let n = 0; n < drafts.length; n += BATCH) await automations.add(drafts.slice(n, n + BATCH));
    for (let n = 0; n < WITHDRAWN; n += 1)
      await this.core.marketplace.withdrawAutomation(OPERATOR, (await this.offer()).id, REASON);
    for (let n = 2; n < KEYS; n += 1) await this.core.keys.issue(OPERATOR, { developer: NAMES.seller, name: KEY_NAME });
    for (let n = 0; n < APPS; n += 1) await this.newApp();
    for (let n = 0; n < CONNECTIONS; n += 1) await this.newConnection();
    for (let n = 0; n < SESSIONS; n += 1) await this.newSession();
    await auditLog.append(Array.from({ length: AUDIT_ENTRIES }, () => renaming()));
  }
}

/** Returns an entry of the seller's history. */
function renaming() {
  const event = { actor: 'developer', action: 'key-renamed', developerId: NAMES.seller } as const;
  const origin = { address: '2001:db8::1', requestId: 'r'.repeat(128) };
  return newAuditEntry(event, origin, { id: randomUUID() as AuditEntryId, at: new Date() });
}

async function signedUp(service: LocalService, id: DeveloperId, role: string): Promise<Visitor> {
  const visitor = new Visitor(service.url);
  await visitor.accept(await service.invite(id), `${id}@example.com`);
  await service.container.get(CORE).accounts.setRole(OPERATOR, id, role);
  await visitor.open('/panel/account');
  return visitor;
}
