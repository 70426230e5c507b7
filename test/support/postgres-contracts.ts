import type { Storage } from '../../application/index.js';
import { USD } from '../contracts/offers.js';
import type { SubjectsOfContracts } from './every-contract.js';
import { newPostgresPlace, type PostgresPlace } from './postgres.js';
import { emptyPostgres, openPostgres } from './postgres-storage.js';

/** Returns what the contract suites run over: stores on the server, or behind a pooler in front of it. */
export function postgresSubjects(through: () => string | undefined): SubjectsOfContracts {
  const open: Storage[] = [];
  let place: PostgresPlace;
  let storage: Storage;

  const handle = ({ url, schema }: PostgresPlace) => openPostgres({ url: through() ?? url, schema });

  before(async () => {
    place = await newPostgresPlace();
    storage = handle(place);
    await storage.prepare({ currency: USD });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  after(() => storage.close());

  return {
    /** Emptying the tables is quicker than making them. */
    empty: async () => {
      await emptyPostgres(place);
      return storage;
    },
    unprepared: async () => {
      const shared = await newPostgresPlace();
      const handles = [handle(shared), handle(shared)] as const;
      open.push(...handles);
      return handles;
    },
  };
}
