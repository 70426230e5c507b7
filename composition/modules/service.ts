import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { CompletedRequest } from '../../adapters/http/index.js';
import type { Config } from '../config/config.js';
import { requestLogger, type Log } from '../service/log.js';
import { Metrics } from '../service/metrics.js';
import { oncePerSecond, Readiness } from '../service/readiness.js';
import { Service } from '../service/service.js';
import { HTTP_SERVER, READINESS, SERVICE } from '../service/tokens.js';
import {
  API_KEY_REPOSITORY,
  AUDIT_TRAIL,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  MAINTENANCE,
  STORAGE,
} from '../tokens.js';
import { httpServerModule } from './http-server.js';

/** The modules of the service, over the core and the configured storage. */
export function serviceModules(config: Config, log: Log): readonly ContainerModule[] {
  const metrics = new Metrics();
  const logRequest = requestLogger(log);
  return [
    countedRepositories(metrics),
    httpServerModule(config, {
      metrics,
      onError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
      onRequestCompleted: (request: CompletedRequest) => {
        metrics.countRequest(request);
        logRequest(request);
      },
    }),
    lifecycle(config, log),
  ];
}

/** Counts the calls of the repositories. */
function countedRepositories(metrics: Metrics): ContainerModule {
  return new ContainerModule(({ onActivation }) => {
    onActivation(AUTOMATION_REPOSITORY, (_context, port) => {
      metrics.observeAutomations(oncePerSecond(() => port.countByCategory()));
      return metrics.counted(port, 'automations');
    });
    onActivation(CATEGORY_REPOSITORY, (_context, port) => metrics.counted(port, 'categories'));
    onActivation(API_KEY_REPOSITORY, (_context, port) => metrics.counted(port, 'api-keys'));
  });
}

function lifecycle(config: Config, log: Log): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(READINESS).toResolvedValue((storage) => new Readiness(storage), [STORAGE]);
    bind(SERVICE).toResolvedValue(
      (storage, maintenance, audit, http, readiness) =>
        new Service(config, log, { storage, maintenance, audit, http, readiness }),
      [STORAGE, MAINTENANCE, AUDIT_TRAIL, HTTP_SERVER, READINESS],
    );
  });
}
