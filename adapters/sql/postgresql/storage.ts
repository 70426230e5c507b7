import { requireOptions, requireParts } from '../../../domain/options.js';
import type { Storage } from '../../../domain/ports.js';
import { groupCommit } from '../../storage/group-commit.js';
import { sqlStorage, type SqlSettings } from '../storage.js';
import { PostgresConnection } from './connection.js';
import type { PostgresPool } from './pool.js';
import { namingRights } from './requirements.js';
import { checkSequences } from './sequences.js';

/** The settings of a store in PostgreSQL. */
export interface PostgresSettings extends SqlSettings {
  /** The schema of the tables, `public` by default. `prepare` makes it when it is missing. */
  readonly schema?: string | undefined;
  /** Gets each failure of work in the background, which is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MAX_SCHEMA_BYTES = 63;

/**
 * Returns a store in a PostgreSQL database, which any number of processes may use. The pool is the host's, who ends it
 * after `close`. It may lead to a pooler: nothing depends on a session.
 * @throws TypeError for an unknown option.
 */
export function postgresStorage(pool: PostgresPool, settings: PostgresSettings = {}): Storage {
  requireOptions('postgresStorage', settings, { schema: true, search: true, onError: true });
  requireParts('postgresStorage', 'a pool of pg', pool, ['connect', 'on']);
  const { schema = 'public', search, onError } = settings;
  refuseLongName(schema);
  const connection = new PostgresConnection(pool, schema);
  const storage = sqlStorage(connection, { search }, onError);
  return {
    ...storage,
    automations: groupCommit(storage.automations),
    prepare: (options) => namingRights(connection, schema, storage.prepare(options)),
    async check(options) {
      return [...(await checkSequences(connection, options.repair)), ...(await storage.check(options))];
    },
  };
}

/** PostgreSQL cuts off what follows, and so two schemas could be one. */
function refuseLongName(schema: string): void {
  if (schema === '' || Buffer.byteLength(schema) > MAX_SCHEMA_BYTES || schema.includes('\0'))
    throw new Error(`the name of the schema must have 1 to ${MAX_SCHEMA_BYTES} bytes, without U+0000`);
}
