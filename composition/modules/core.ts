import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { CORE_OPTIONS, newCore, type CoreOptions } from '../../application/core.js';
import { requireOptions } from '../../domain/options.js';
import {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUDIT_LOG,
  AUDIT_TRAIL,
  AUTOMATION_ARCHIVE,
  AUTOMATION_REPOSITORY,
  AUTOMATION_TRANSFER,
  CATALOGUE_SEARCH,
  CATEGORY_REPOSITORY,
  CORE,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_REPOSITORY,
  DEVELOPER_SESSIONS,
  MARKETPLACE,
  SESSION_REPOSITORY,
} from '../tokens.js';

/**
 * Returns the module of the core. It needs the ports of one of the storage modules, or a host's own.
 * @throws TypeError for an unknown option.
 */
export function coreModule(options: CoreOptions = {}): ContainerModule {
  requireOptions('coreModule', options, CORE_OPTIONS);
  return new ContainerModule(({ bind }) => {
    bind(CORE)
      .toResolvedValue(
        (automations, archive, search, categories, keys, developers, sessions, auditLog) =>
          newCore({ automations, archive, search, categories, keys, developers, sessions, auditLog }, options),
        [
          AUTOMATION_REPOSITORY,
          AUTOMATION_ARCHIVE,
          CATALOGUE_SEARCH,
          CATEGORY_REPOSITORY,
          API_KEY_REPOSITORY,
          DEVELOPER_REPOSITORY,
          SESSION_REPOSITORY,
          AUDIT_LOG,
        ],
      )
      .inSingletonScope();
    bind(MARKETPLACE)
      .toResolvedValue(({ marketplace }) => marketplace, [CORE])
      .inSingletonScope();
    bind(API_KEY_VERIFIER)
      .toResolvedValue(({ verifier }) => verifier, [CORE])
      .inSingletonScope();
    bind(AUTOMATION_TRANSFER)
      .toResolvedValue(({ transfer }) => transfer, [CORE])
      .inSingletonScope();
    bind(DEVELOPER_KEYS)
      .toResolvedValue(({ keys }) => keys, [CORE])
      .inSingletonScope();
    bind(DEVELOPER_ACCOUNTS)
      .toResolvedValue(({ accounts }) => accounts, [CORE])
      .inSingletonScope();
    bind(DEVELOPER_SESSIONS)
      .toResolvedValue(({ sessions }) => sessions, [CORE])
      .inSingletonScope();
    bind(AUDIT_TRAIL)
      .toResolvedValue(({ audit }) => audit, [CORE])
      .inSingletonScope();
  });
}
