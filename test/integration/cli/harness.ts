import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCli, type Host, type IfMissing, type Output, type Session } from '../../../adapters/cli/index.js';
import {
  InMemoryApiKeyRepository,
  InMemoryAuditLog,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemoryOAuthRecords,
  InMemorySessionRepository,
} from '../../../adapters/in-memory/index.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { AutomationRecords } from '../../../application/automation-records.js';
import { AutomationTransfer } from '../../../application/automation-transfer.js';
import type { AutomationRules } from '../../../application/host-rules.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperApps } from '../../../application/developer-apps.js';
import { DeveloperKeys, type DeveloperKeysOptions } from '../../../application/developer-keys.js';
import { MarketplaceCategories } from '../../../application/marketplace-categories.js';
import { Marketplace } from '../../../application/marketplace.js';
import { describeFile, fileInspector } from '../../../composition/service/file-inspector.js';
import { ALL_SETTINGS } from '../../../composition/config/settings.js';
import { parseDeveloperId, type Caller } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { newCategory } from '../../../domain/category.js';
import type { ApiKeyRepository, AutomationArchive, AutomationRepository, Difference } from '../../../domain/ports.js';

/** Keeps what is written to it. */
export class Captured implements Output {
  text = '';

  constructor(
    readonly isTTY = false,
    readonly columns = 80,
  ) {}

  write(text: string, done?: () => void): boolean {
    this.text += text;
    done?.();
    return true;
  }

  lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1);
  }
}

/** Where nobody reads any longer. */
export const NOBODY: Output = { write: (_text, done) => done?.(new Error('write EPIPE')) };

const NO_KEYS = async () => ({ key: '', writeKey: '' });

/** The parts of the host that tests do not use. */
const HOST = {
  name: 'automation-marketplace',
  settings: ALL_SETTINGS,
  serve: async () => 0,
  serveAgent: async () => undefined,
  keys: NO_KEYS,
  restore: async () => undefined,
};

/** What one run of the program came to. */
export interface Outcome {
  readonly code: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

export interface StoreOptions extends DeveloperKeysOptions {
  readonly automations?: AutomationRepository;
  readonly archive?: AutomationArchive;
  readonly apiKeys?: ApiKeyRepository;
  readonly auditLog?: InMemoryAuditLog;
  /** Whether automations can be found by words; true by default. */
  readonly search?: boolean;
  readonly rules?: AutomationRules;
}

export const ACME: Caller = { developerId: parseDeveloperId('acme'), scopes: SCOPES };

/** A store in memory, and the program that runs on it. */
export class Program {
  readonly apiKeys: ApiKeyRepository;
  readonly categories = new InMemoryCategoryRepository([
    newCategory({ id: 'sales', name: 'Sales' }),
    newCategory({ id: 'support', name: 'Support' }),
  ]);
  readonly developers: InMemoryDeveloperRepository;
  readonly sessions: InMemorySessionRepository;
  readonly audit: AuditTrail;
  readonly session: Session;
  readonly backups: string[] = [];
  readonly oauthRecords: InMemoryOAuthRecords;
  /** What a check finds; a repair repairs what is repairable. */
  differences: readonly Difference[] = [];
  opened = 0;
  /** How many of these openings would have made the store. */
  made = 0;
  closed = 0;

  constructor(options: StoreOptions = {}) {
    const auditLog = options.auditLog ?? new InMemoryAuditLog();
    this.apiKeys = options.apiKeys ?? new InMemoryApiKeyRepository(auditLog);
    this.sessions = new InMemorySessionRepository(auditLog);
    this.oauthRecords = new InMemoryOAuthRecords(auditLog);
    this.developers = new InMemoryDeveloperRepository(this.sessions, auditLog);
    const inMemory = new InMemoryAutomationRepository(auditLog);
    const { automations = inMemory, archive = inMemory, rules } = options;
    this.audit = new AuditTrail(auditLog, options.now && { now: options.now });
    const search = new ScanningSearch(archive);
    const { audit, categories } = this;
    const clock = options.now && { now: options.now };
    const marketplace = new Marketplace(automations, categories, { audit, search, rules, fileInspector, ...clock });
    this.session = {
      marketplace,
      records: new AutomationRecords(archive, search),
      transfer: new AutomationTransfer(marketplace, { automations, archive }, audit),
      keys: new DeveloperKeys(this.apiKeys, { audit, developers: this.developers, ...options }),
      accounts: new DeveloperAccounts({ developers: this.developers, automations }, { audit, ...clock }),
      apps: new DeveloperApps(this.oauthRecords, this.developers, { audit, ...clock }),
      audit,
      rotateSigningKeys: async () => 'a-new-key',
      categories: new MarketplaceCategories(categories, automations, audit),
      search: options.search ?? true,
      describeFile,
      welcomeUrl: (token) => `https://market.example/panel/welcome/${token}`,
      check: async ({ repair }) => this.differences.map((one) => ({ ...one, repaired: repair && one.repaired })),
      backup: async (file) => void this.backups.push(file),
      close: async () => void (this.closed += 1),
    };
  }

  run(...words: readonly string[]): Promise<Outcome> {
    return this.runWith({}, ...words);
  }

  pipe(text: string, ...words: readonly string[]): Promise<Outcome> {
    return this.runWith({ stdin: Readable.from([Buffer.from(text)]) }, ...words);
  }

  async runWith(part: Partial<Host>, ...words: readonly string[]): Promise<Outcome> {
    const stdout = new Captured();
    const stderr = new Captured();
    const open = async (ifMissing: IfMissing): Promise<Session> => {
      this.opened += 1;
      if (ifMissing === 'create') this.made += 1;
      return this.session;
    };
    const code = await runCli(words, { ...HOST, stdout, stderr, open, ...part });
    return { code, stdout: stdout.lines(), stderr: stderr.lines() };
  }

  /** The titles on sale, newest first. */
  async titles(): Promise<readonly string[]> {
    const { items } = await this.session.marketplace.listAutomations(ACME, { limit: 100 });
    return items.map(({ title }) => title);
  }

  async total(): Promise<number> {
    return (await this.session.marketplace.listAutomations(ACME, { limit: 1 })).total;
  }
}

/** A folder for the tests of a suite, gone after them. */
export class TemporaryFolder {
  #path = '';
  #files = 0;

  async create(): Promise<void> {
    this.#path = await mkdtemp(join(tmpdir(), 'marketplace-cli-'));
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.#path, name);
  }

  /** Writes a file and answers its path. */
  async file(content: string | Uint8Array): Promise<string> {
    this.#files += 1;
    const path = this.path(`file-${this.#files}`);
    await writeFile(path, content);
    return path;
  }
}
