import type { Condition } from './dialect.js';

/** Returns the clause for rows that meet all conditions, with its values. The first has this place in the statement. */
export function whereOf(all: readonly Condition[], firstPlace = 1) {
  const fixed = all.flatMap((condition) => (condition.length === 1 ? condition : []));
  const given = all.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const compared = given.map(({ sql }, index) => sql.replaceAll('?', `$${firstPlace + index}`));
  const conditions = [...compared, ...fixed];
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    values: given.map(({ value }) => value),
  };
}
