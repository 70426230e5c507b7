import type { Repositories } from '../repositories.js';
import { startService, type TestService, type TestServiceOptions } from '../service.js';
import { STORAGES } from '../storages.js';
import { Client } from './client.js';

/** A service and clients of it, both gone after the test. */
export interface Stage {
  service: TestService;
  /** A client with this key, or without one. */
  client(key?: string, base?: string): Client;
  /** Restarts the service with other options, over the storage of this suite. */
  restart(options: TestServiceOptions): Promise<void>;
  /** Empty repositories of the storage of this suite. */
  fresh(): Promise<Repositories>;
}

/** The suite once for each of `STORAGES`, with a service of its own for each test. */
export function onEveryStorage(title: string, suite: (stage: Stage) => void): void {
  for (const [storage, fresh] of Object.entries(STORAGES))
    describe(`${title}, on ${storage}`, () => {
      const clients: Client[] = [];
      const stage: Stage = {
        service: undefined as unknown as TestService,
        fresh: async () => fresh(),
        client: (key, base) => {
          const client = new Client(stage.service.url, key, base);
          clients.push(client);
          return client;
        },
        restart: async (options) => {
          await stage.service.close();
          stage.service = await startService({ repositories: fresh(), ...options });
        },
      };
      beforeEach(async () => {
        stage.service = await startService({ repositories: fresh() });
      });
      afterEach(async () => {
        for (const client of clients.splice(0)) client.close();
        await stage.service.close();
      });
      suite(stage);
    });
}
