import { DomainError } from '../../domain/errors.js';
import type { Difference } from '../../domain/ports.js';
import type { SqlConnection } from './connection.js';
import type { DerivedObject } from './dialect.js';
import { derivedOf } from './schema.js';
import { beginWords, completeWords } from './words.js';

/** A derived object that is not there, or is damaged. */
interface Lacking {
  readonly object: DerivedObject;
  readonly why: string;
}

/** Returns those that are not there. */
export async function missingObjects(connection: SqlConnection): Promise<readonly Lacking[]> {
  const { dialect } = connection;
  const present = await connection.check((query) => query<{ readonly name: string }>(dialect.present));
  const names = new Set(present.map(({ name }) => name));
  return derivedOf(dialect)
    .filter(({ name }) => !names.has(name))
    .map((object) => ({ object, why: `the ${object.kind} ${object.name} is missing` }));
}

/** Makes what is lacking, and fills the index of words. Counts are filled by their own check. */
export async function makeObjects(
  connection: SqlConnection,
  lacking: readonly Lacking[],
  repair: boolean,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const { object, why } of lacking) {
    const failure = repair ? await makeOne(connection, object) : undefined;
    const description = failure === undefined ? why : `${why}, and cannot be made: ${failure}`;
    differences.push({ description, repaired: repair && failure === undefined });
  }
  if (repair) await completeWords(connection);
  return differences;
}

/** Returns why an object cannot be made, such as for rows that a unique index forbids; undefined once it is made. */
async function makeOne(connection: SqlConnection, { name, make }: DerivedObject): Promise<string | undefined> {
  const { dialect } = connection;
  try {
    await connection.build(async (query) => {
      for (const statement of make) await query(statement);
      if (name === dialect.words.objects[0]?.name) await beginWords(query, dialect);
    });
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
