import type { Missing, Session } from '../adapters/cli/index.js';
import type { Config } from './config.js';
import { compose, start } from './container.js';
import { urlForPeople, welcomeUrl, whyLinkIsDead } from './links.js';
import { requireStore } from './storage.js';
import { AUDIT_TRAIL, AUTOMATION_TRANSFER, CATEGORY_REPOSITORY, DEVELOPER_ACCOUNTS, DEVELOPER_KEYS, MARKETPLACE } from './tokens.js';

const UNNOTED = 'this is done, and could not be written into the audit\n';

/** What a command works with: the core over the configured storage, made ready. */
export async function openSession(config: Config, missing: Missing): Promise<Session> {
  if (config.storage === 'memory')
    throw new Error('STORAGE is memory, which is gone with the process that has it; commands need a storage that stays.');
  if (missing === 'refused') requireStore(config);
  const composition = await compose(config, { onAuditError: () => process.stderr.write(UNNOTED) });
  const { container, store } = composition;
  try {
    await start(composition, config, missing);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    marketplace: container.get(MARKETPLACE),
    transfer: container.get(AUTOMATION_TRANSFER),
    keys: container.get(DEVELOPER_KEYS),
    accounts: container.get(DEVELOPER_ACCOUNTS),
    audit: container.get(AUDIT_TRAIL),
    categories: container.get(CATEGORY_REPOSITORY),
    welcomeUrl: (token) => welcomeUrl(urlForPeople(config), token),
    whyLinksAreDead: whyLinkIsDead(config),
    backup: (file) => store.backup(file),
    close: async () => {
      await container.get(AUDIT_TRAIL).settled();
      await store.close();
    },
  };
}
