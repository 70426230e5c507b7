import type { Storage } from '../../../application/index.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationArchiveContract,
  automationRepositoryContract,
  catalogueSearchContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  oauthRecordsContract,
  sessionRepositoryContract,
  storageContract,
  type StorageHandles,
} from '../../contracts/index.js';
import { USD } from '../../contracts/offers.js';
import { newPostgresPlace, type PostgresPlace } from '../../support/postgres.js';
import { emptyPostgres, openPostgres } from '../../support/postgres-storage.js';

/** Declares every contract suite on the server, or on a pooler in front of it. */
export function everyContract(through: () => string | undefined): void {
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

  /** Emptying the tables is quicker than making them. */
  const empty = async (): Promise<Storage> => {
    await emptyPostgres(place);
    return storage;
  };
  const twoHandles = async (): Promise<StorageHandles> => {
    const shared = await newPostgresPlace();
    const handles = [handle(shared), handle(shared)] as const;
    open.push(...handles);
    return handles;
  };

  automationRepositoryContract(async () => (await empty()).automations);
  automationArchiveContract(empty);
  catalogueSearchContract(async () => {
    const { automations, search } = await empty();
    if (search === undefined) throw new Error('PostgreSQL has a search of its own');
    return { automations, search };
  });
  categoryRepositoryContract(async () => (await empty()).categories);
  apiKeyRepositoryContract(empty);
  developerRepositoryContract(empty);
  sessionRepositoryContract(empty);
  auditLogContract(async () => (await empty()).auditLog);
  oauthRecordsContract(empty);
  storageContract(twoHandles);
}
