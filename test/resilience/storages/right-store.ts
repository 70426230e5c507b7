import { expect } from 'chai';
import type { AutomationId } from '../../../domain/automation.js';
import type { Storage } from '../../../domain/ports.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { at, automationIdOf, GAMES, numbers, offer, query, store, TOOLS } from '../../contracts/offers.js';
import type { RawSql } from './raw-sql.js';

const CATEGORIES = [undefined, TOOLS, GAMES];

/** Asserts that no list fails, and that both handles add at the same time. `n` and the number after it are free. */
export async function assertGoesOn(handles: readonly [Storage, Storage], n: number): Promise<void> {
  for (const { automations } of handles)
    for (const category of CATEGORIES)
      for (const number of numbers(12)) await automations.list(query(number, 100, category));
  await Promise.all(handles.map(({ automations }, index) => store(automations, offer(n + index))));
  await handles[0].automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
}

/** Asserts that lists show the rows that are on sale, in the order of their numbers, and that a search finds them. */
export async function assertRight(raw: RawSql, { automations, search }: Storage): Promise<void> {
  const rows = (await raw.rows(
    'SELECT id, category_id, title FROM {p}automations WHERE withdrawn_at IS NULL ORDER BY number DESC',
  )) as readonly { readonly id: AutomationId; readonly category_id: string; readonly title: string }[];
  for (const category of CATEGORIES) {
    const expected = rows.filter(({ category_id: id }) => category === undefined || id === category);
    const listed: string[] = [];
    for (const number of numbers(Math.ceil(expected.length / 100))) {
      const { items, total } = await automations.list(query(number, 100, category));
      expect(total).to.equal(expected.length);
      listed.push(...items.map(({ id }) => id));
    }
    expect(listed).to.deep.equal(expected.map(({ id }) => id));
  }
  const terms = searchTerms(rows[0]?.title ?? '');
  const page = { number: 1, limit: 100 } as const;
  const found = await search?.search({ page, order: 'newest', terms, status: 'on-sale' });
  expect(found?.items.map(({ automation }) => automation.id)).to.include(rows[0]?.id);
}
