import type { IfMissing, Session } from '../../adapters/cli/index.js';
import { OPERATOR } from '../../domain/access.js';
import { newCore, type UseCases } from '../../application/core.js';
import type { Given } from '../config/environment.js';
import { describeFile, fileInspector } from '../service/file-inspector.js';
import { checkedConfig } from './checked-config.js';
import { addressForLinks, linkWarning, welcomeUrl } from './links.js';
import { openStore, prepareStore } from './store.js';

const NOT_IN_AUDIT = 'this is done, but it could not be written to the audit\n';

/** Opens what a command works with. @throws Error for people. */
export async function openSession(ifMissing: IfMissing, given: Given): Promise<Session & Pick<UseCases, 'verifier'>> {
  const config = await checkedConfig('command', given);
  for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
  if (config.STORAGE === 'memory')
    throw new Error('With STORAGE=memory the data lives inside the service; commands cannot reach it.');
  const onNew = (place: string) => process.stderr.write(`new store: ${place}\n`);
  const { storage, backup } = await openStore(config, { ifMissing, onNew });
  const { currency, address } = await prepareStore(storage, config.CURRENCY).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const onAuditError = () => process.stderr.write(NOT_IN_AUDIT);
  const core = newCore(storage, { currency, onAuditError, fileInspector });
  return {
    ...core,
    search: config.SEARCH,
    describeFile,
    welcomeUrl: (token) => welcomeUrl(addressForLinks(config, address), token),
    whyLinksAreDead: linkWarning(config, address),
    check: (options) => storage.check(options),
    rotateSigningKeys: async (rotation) => {
      const { oauthRecords } = storage;
      if (oauthRecords === undefined) throw new Error('the storage has no records of an authorization server');
      const { rotateSigningKeys } = await import('../../adapters/authorization-server/index.js');
      return rotateSigningKeys(OPERATOR, { oauthRecords, audit: core.audit }, rotation);
    },
    backup,
    close: async () => {
      await core.audit.settled();
      await storage.close();
    },
  };
}
