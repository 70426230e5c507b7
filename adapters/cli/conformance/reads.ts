import { check, must, problemOf, same, Skipped, type Check, type Group } from './check.js';
import type { Api } from './api.js';
import { automationOf, categories, list, type Item } from './shapes.js';

const UNKNOWN_ID = '01980c5e-7a3b-7c4d-9e21-000000000000';

async function anyItem(api: Api): Promise<Item> {
  const [item] = (await list(api, '?limit=1')).data;
  if (item === undefined) throw new Skipped('nothing is on sale');
  return item;
}

const details: readonly Check[] = [
  check('an automation has exactly its nine members, and says what the list says', async (api) => {
    const item = await anyItem(api);
    const reply = await api.ask(`/automations/${item.id}`);
    const { id, title, price } = automationOf(reply);
    same({ id, title, price }, item, reply, 'the automation');
  }),
  check('an id that is unknown or malformed is 404 not-found', async (api) => {
    for (const id of [UNKNOWN_ID, 'x', '1', '%00', 'a'.repeat(300), "'%20OR%201=1", '$ne'])
      problemOf(await api.ask(`/automations/${id}`), 404, 'not-found');
  }),
  check('paths are exact: no trailing slash, no other case', async (api) => {
    const { id } = await anyItem(api);
    const inexact = [`/automations/${id}/`, `/automations/${id.toUpperCase()}`];
    for (const path of ['/automations/', '/Automations', '/categories/', '//automations', ...inexact])
      if (path !== `/automations/${id}`) problemOf(await api.ask(path), 404, 'not-found');
  }),
  check('an automation and the categories take no parameters', async (api) => {
    const { id } = await anyItem(api);
    for (const path of [`/automations/${id}?page=1`, '/categories?page=1'])
      problemOf(await api.ask(path), 400, 'invalid-query');
  }),
];

const shelves: readonly Check[] = [
  check('the categories have their shape and are ordered by name', async (api) => {
    const names = (await categories(api)).map(({ name }) => name.toLowerCase());
    const asInDictionaries = [...names].sort((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
    const orders = [[...names].sort(), asInDictionaries].map((ordered) => ordered.join('\n'));
    must(orders.includes(names.join('\n')), { request: 'GET /categories' }, 'the names are not in order');
  }),
  check('their counts add up to the total of the list', async (api) => {
    const [before, counted, after] = [await list(api, '?limit=1'), await categories(api), await list(api, '?limit=1')];
    if (before.total !== after.total) throw new Skipped('automations are created or withdrawn at the same time');
    const sum = counted.reduce((all, { automation_count }) => all + automation_count, 0);
    must(sum === after.total, after.reply, `the categories have ${sum} automations, the list ${after.total}`);
  }),
];

export const reads: Group = { name: 'Automations and categories', checks: [...details, ...shelves] };
