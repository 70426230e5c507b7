import { requireOptions } from '../../domain/options.js';
import type { CatalogueSearch, Storage } from '../../domain/ports.js';
import { untilClosed } from '../storage/until-closed.js';
import { InMemoryApiKeyRepository } from './api-key-repository.js';
import { InMemoryAuditLog } from './audit-log.js';
import { InMemoryAutomationRepository, type InMemorySettings } from './automation-repository.js';
import { InMemoryCategoryRepository } from './category-repository.js';
import { InMemoryDeveloperRepository } from './developer-repository.js';
import { InMemoryOAuthRecords } from './oauth-records.js';
import { InMemoryReportRepository } from './report-repository.js';
import { InMemorySessionRepository } from './session-repository.js';

/** A store in the memory of this process. */
export interface InMemoryStorage extends Storage {
  readonly search: CatalogueSearch;
}

/**
 * Returns an empty store in the memory of this process. It is gone with the process.
 * @throws TypeError for an unknown option.
 */
export function inMemoryStorage(settings: InMemorySettings = {}): InMemoryStorage {
  requireOptions('inMemoryStorage', settings, { search: true });
  const auditLog = new InMemoryAuditLog();
  const automations = new InMemoryAutomationRepository(auditLog, settings);
  const sessions = new InMemorySessionRepository(auditLog);
  let isClosed = false;
  const open = <Port extends object>(port: Port): Port => untilClosed(port, () => isClosed);
  const life: Pick<Storage, 'prepare' | 'ping' | 'check'> = {
    prepare: async (options) => automations.prepare(options),
    ping: async () => 'ready',
    check: async () => [],
  };
  return {
    supports: { search: true, deepPages: true },
    automations: open(automations),
    archive: open(automations),
    search: open(automations.search),
    categories: open(new InMemoryCategoryRepository()),
    keys: open(new InMemoryApiKeyRepository(auditLog)),
    developers: open(new InMemoryDeveloperRepository(sessions, auditLog)),
    sessions: open(sessions),
    auditLog: open(auditLog),
    oauthRecords: open(new InMemoryOAuthRecords(auditLog)),
    reports: open(new InMemoryReportRepository(auditLog)),
    recordedCurrency: () => automations.currency,
    ...open(life),
    close: async () => {
      isClosed = true;
    },
  };
}
