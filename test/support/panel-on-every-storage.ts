import { IS_FULL_LENGTH } from './full-length.js';
import { hasPostgres } from './postgres.js';
import { startPanel, type PanelService, type PanelSettings } from './panel.js';
import { Visitor } from './panel-visitor.js';

/** PostgreSQL is one of them at full length, where there is a server. */
const PANEL_STORAGES = ['memory', 'sqlite', ...(IS_FULL_LENGTH && hasPostgres() ? ['postgresql'] : [])];

export interface PanelStage {
  service: PanelService;
  /** Somebody who is not signed in. */
  stranger(): Visitor;
  /** Somebody who is, as this developer. */
  developer(id: string): Promise<Visitor>;
}

/** The suite once per storage, with a service of its own for each test. */
export function panelOnEveryStorage(
  title: string,
  suite: (stage: PanelStage) => void,
  settings: PanelSettings = {},
): void {
  for (const storage of PANEL_STORAGES)
    describe(`${title}, on ${storage}`, () => {
      const stage: PanelStage = {
        service: undefined as unknown as PanelService,
        stranger: () => new Visitor(stage.service.url),
        developer: async (id) => {
          const visitor = stage.stranger();
          await visitor.accept(await stage.service.invite(id), `${id}@example.com`);
          return visitor;
        },
      };
      beforeEach(async () => {
        stage.service = await startPanel({ STORAGE: storage, ...settings });
      });
      afterEach(() => stage.service.close());
      suite(stage);
    });
}
