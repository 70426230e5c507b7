import type { RequestListener } from 'node:http';
import { createOperationalApp } from '../../adapters/http/operational.js';
import { isUnderBase } from '../../adapters/http/target.js';
import { readConfig } from '../../composition/config.js';
import { httpModule } from '../../composition/http-module.js';
import { compose } from '../../composition/storage.js';
import { AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, DEVELOPER_KEYS, HTTP_APP } from '../../composition/tokens.js';
import { inBatches, newAutomations, newCategories } from '../catalogue.js';

/** Our service, put together as `composition/serve.ts` does, with the catalogue in its store. The environment configures it. */
export async function marketplace(count: number, categories: number): Promise<{ listener: RequestListener; key: string }> {
  const config = readConfig(process.env);
  const { container, store } = await compose(config);
  await store.noteCurrency(config.currency);
  const onError = (error: unknown) => console.error(error);
  container.load(httpModule({ publicUrl: config.publicUrl, onError }));
  const all = newCategories(categories);
  await container.get(CATEGORY_REPOSITORY).save(all);
  for (const batch of inBatches(newAutomations(count, all), 250))
    await container.get(AUTOMATION_REPOSITORY).add(batch.map((automation) => ({ automation })));
  const { text: key } = await container.get(DEVELOPER_KEYS).issue({ developer: 'bench' });
  const ready = () => store.ping().then(() => true);
  const operational = createOperationalApp({ currency: config.currency, version: '', ready, onError }).callback();
  const api = container.get(HTTP_APP).callback();
  const listener: RequestListener = (request, response) =>
    void (isUnderBase(request.url ?? '') ? api : operational)(request, response);
  return { listener, key };
}
