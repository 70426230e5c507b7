import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../composition/config.js';
import { newHttpService } from '../../composition/http-service.js';
import { newLog } from '../../composition/log.js';
import { compose } from '../../composition/storage.js';
import { AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, DEVELOPER_KEYS } from '../../composition/tokens.js';
import { inBatches, newAutomations, newCategories } from '../catalogue.js';

/** Our service with everything on, as `composition/serve.ts` runs it, with the catalogue in its store. The environment configures it. */
export async function marketplace(count: number, categories: number): Promise<{ server: Server; key: string }> {
  const config = readConfig(process.env);
  const composition = await compose(config);
  const lines = pino.destination({ dest: join(config.dataDir, 'log'), mkdir: true, sync: false });
  const log = newLog(config.logLevel, [], lines);
  const server = newHttpService(config, composition, log, async () => true);
  const { container, store } = composition;
  await store.noteCurrency(config.currency);
  const all = newCategories(categories);
  await container.get(CATEGORY_REPOSITORY).save(all);
  for (const batch of inBatches(newAutomations(count, all), 250))
    await container.get(AUTOMATION_REPOSITORY).add(batch.map((automation) => ({ automation })));
  const { text: key } = await container.get(DEVELOPER_KEYS).issue({ developer: 'bench' });
  return { server, key };
}
