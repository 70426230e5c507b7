import { ofLength } from './full-length.js';
import { hasPostgres } from './postgres.js';
import { startPanel, type PanelService, type PanelSettings } from './panel.js';
import { Visitor } from './panel-visitor.js';

const PANEL_STORAGES = ofLength(['sqlite', ...(hasPostgres() ? ['postgresql'] : [])], ['memory']);

export interface PanelStage {
  service: PanelService;
  /** Somebody who is not signed in. */
  stranger(): Visitor;
  /** Somebody who is, as this developer. */
  developer(id: string): Promise<Visitor>;
}

/** Declares the suite in memory, and at full length on SQLite and PostgreSQL; each test has a service of its own. */
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
