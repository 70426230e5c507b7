import { createServer } from 'node:http';
import { createCatalogue, type CatalogueOptions } from '../../adapters/catalogue/index.js';
import { dispatcher } from '../../adapters/edge/server/dispatcher.js';
import { drawFile, TableFileInspector } from '../../adapters/file-inspection/index.js';
import { createFilesApp } from '../../adapters/files/index.js';
import { parseDeveloperId, SCOPES, type AutomationDraft, type Core } from '../../application/index.js';
import { hostCore } from './host-pages.js';
import { listening, type Listening } from './socket.js';

/** A public catalogue of a host next to its files. */
export interface ShopWithFiles extends Listening {
  readonly core: Core;
  /** Puts an automation that costs nothing on sale, and returns its id. */
  offer(draft: Partial<AutomationDraft>): Promise<string>;
}

export async function startShopWithFiles(options: CatalogueOptions = {}): Promise<ShopWithFiles> {
  const core = await hostCore({ fileInspector: new TableFileInspector() });
  const shared = { pageRateLimit: 'off', visibility: 'public' } as const;
  const catalogue = createCatalogue(core, { ...shared, filesPath: '/files', drawFile, ...options }).callback();
  const handle = dispatcher({ api: catalogue, catalogue, files: createFilesApp(core, shared).callback() });
  const server = await listening(createServer((request, response) => void handle(request, response)));
  const seller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
  const draft = { title: 'Notify', description: 'Tells.', price: 0, categoryId: 'email' };
  return {
    ...server,
    core,
    offer: async (fields) => (await core.marketplace.createAutomation(seller, { ...draft, ...fields })).id,
  };
}
