import type { Query } from '../connection.js';
import { quoted } from './dialect.js';

const MIN_VERSION = 14;

/** What a server says of itself and of the database. `version` is a number such as 140009. */
export interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly database: string;
}

/** @throws Error with a sentence for people, when a store cannot be in this database. */
export async function refuseUnsuitable(query: Query): Promise<void> {
  const [server] = await query<Server>(
    `SELECT CAST(current_setting('server_version_num') AS integer) AS version, getdatabaseencoding() AS encoding,
       current_database() AS database`,
  );
  const reason = server && whyUnsuitable(server);
  if (reason !== undefined) throw new Error(reason);
}

/** Returns why a store cannot be in a database; undefined when it can. */
export function whyUnsuitable({ version, encoding, database }: Server): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major < MIN_VERSION) return `the server is PostgreSQL ${major}; a store needs PostgreSQL ${MIN_VERSION} or later`;
  if (encoding === 'UTF8') return undefined;
  return (
    `the database ${quoted(database)} has the encoding ${encoding}, which cannot store every text. Make another one: ` +
    `CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';`
  );
}
