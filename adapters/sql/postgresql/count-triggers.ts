import { BLOCK_SIZES } from '../schema.js';

const ON_SALE = (rows: string, change: 1 | -1) =>
  `SELECT number, category_id, ${change} AS change FROM ${rows} WHERE withdrawn_at IS NULL`;

/**
 * Returns the statements that create the triggers that keep `counts`: one for each statement, over all rows that it
 * changed. They lock the counts in one order, so that transactions do not deadlock.
 */
export function countTriggers(prefix: string): readonly string[] {
  const add = (changes: string) => `
    INSERT INTO ${prefix}counts AS counted (size, category_id, block, on_sale)
    SELECT size, category, number / size, sum(change)
    FROM (${changes}) AS changed,
      LATERAL (VALUES (${BLOCK_SIZES.small}::bigint), (${BLOCK_SIZES.large}::bigint)) AS sizes (size),
      LATERAL (VALUES (''), (category_id)) AS categories (category)
    GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (size, category_id, block) DO UPDATE SET on_sale = counted.on_sale + excluded.on_sale;`;
  const trigger = (event: string, tables: string) =>
    `CREATE TRIGGER count_${event.toLowerCase()} AFTER ${event} ON ${prefix}automations
      REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION ${prefix}count_automations()`;
  return [
    `CREATE FUNCTION ${prefix}count_automations() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${add(ON_SALE('added', 1))}
      ELSIF TG_OP = 'DELETE' THEN ${add(ON_SALE('removed', -1))}
      ELSE ${add(`${ON_SALE('removed', -1)} UNION ALL ${ON_SALE('added', 1)}`)}
      END IF;
      RETURN NULL;
    END $body$`,
    trigger('INSERT', 'NEW TABLE AS added'),
    trigger('DELETE', 'OLD TABLE AS removed'),
    trigger('UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'),
  ];
}
