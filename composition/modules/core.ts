import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { AutomationTransfer } from '../../application/automation-transfer.js';
import { CORE_OPTIONS, newCore, type CoreOptions } from '../../application/core.js';
import { requireOptions } from '../../domain/options.js';
import {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  CORE,
  DEVELOPER_REPOSITORY,
  MARKETPLACE,
  SESSION_REPOSITORY,
} from '../tokens.js';
import { NEW_CORE } from './tokens.js';

/**
 * Returns the module of the core. It needs the ports of one of the storage modules, or a host's own.
 * @throws TypeError for an unknown option.
 */
export function coreModule(options: CoreOptions = {}): ContainerModule {
  requireOptions('coreModule', options, CORE_OPTIONS);
  return new ContainerModule(({ bind }) => {
    bind(NEW_CORE)
      .toResolvedValue(
        (store, categories, keys, developers, sessions) =>
          newCore({ ...store, categories, keys, developers, sessions }, options),
        [AUTOMATION_STORE, CATEGORY_REPOSITORY, API_KEY_REPOSITORY, DEVELOPER_REPOSITORY, SESSION_REPOSITORY],
      )
      .inSingletonScope();
    bind(MARKETPLACE)
      .toResolvedValue(({ marketplace }) => marketplace, [NEW_CORE])
      .inSingletonScope();
    bind(API_KEY_VERIFIER)
      .toResolvedValue(({ verifier }) => verifier, [NEW_CORE])
      .inSingletonScope();
    bind(CORE)
      .toResolvedValue(
        (core, marketplace, verifier, store) => {
          return { ...core, marketplace, verifier, transfer: new AutomationTransfer(marketplace, store, core.audit) };
        },
        [NEW_CORE, MARKETPLACE, API_KEY_VERIFIER, AUTOMATION_STORE],
      )
      .inSingletonScope();
  });
}
