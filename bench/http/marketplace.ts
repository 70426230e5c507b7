import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createHttpServer } from '../../adapters/http/server.js';
import { readConfig, type Config } from '../../composition/config.js';
import { httpModule } from '../../composition/http-module.js';
import { newHttpService } from '../../composition/http-service.js';
import { logAnswers, logFile, newLog } from '../../composition/log.js';
import { compose, type Composition } from '../../composition/container.js';
import { API_KEY_VERIFIER, AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, DEVELOPER_KEYS, HTTP_APP } from '../../composition/tokens.js';
import { SCOPES, type Caller, type DeveloperId } from '../../domain/access.js';
import { inBatches, newAutomations, newCategories } from '../catalogue.js';

const ANYBODY: Caller = { developerId: 'bench' as DeveloperId, scopes: SCOPES, credentialId: 'bench' };

/** The endpoints as a host has them that mounts them itself: no admission, no metrics; lines of the log. */
function appAlone({ rateLimits }: Config, { container }: Composition, log: Logger): Server {
  container.load(httpModule({ rateLimits, onAnswer: logAnswers(log) }));
  const handle = container.get(HTTP_APP).callback();
  return createHttpServer((request, response) => void handle(request, response));
}

/** Our service with everything on, as `composition/serve.ts` runs it, with the catalogue in its store. The environment configures it. */
export async function marketplace(count: number, categories: number): Promise<{ server: Server; key: string }> {
  const config = readConfig(process.env);
  const composition = await compose(config);
  const log = newLog(config.logLevel, [], logFile(join(config.dataDir, 'log')));
  const { container, store } = composition;
  await store.noteCurrency(config.currency);
  const without = (process.env['WITHOUT'] ?? '').split(',');
  if (without.includes('key look-ups')) container.rebind(API_KEY_VERIFIER).toConstantValue({ verify: async () => ANYBODY });
  const server = without.includes('service') ? appAlone(config, composition, log) : newHttpService(config, composition, log, async () => true);
  const all = newCategories(categories);
  await container.get(CATEGORY_REPOSITORY).save(all);
  for (const batch of inBatches(newAutomations(count, all), 250))
    await container.get(AUTOMATION_REPOSITORY).add(batch.map((automation) => ({ automation })));
  const { text: key } = await container.get(DEVELOPER_KEYS).issue({ developer: 'bench' });
  return { server, key };
}
