import { check, must, same, Skipped, type Check, type Group } from './check.js';
import type { AutomationSummary } from '../client/index.js';
import type { Api } from './api.js';
import { automationOf, categories, list } from './shapes.js';

async function anyItem(api: Api): Promise<AutomationSummary> {
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
];

const categoryLists: readonly Check[] = [
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

export const reads: Group = { name: 'Automations and categories', checks: [...details, ...categoryLists] };
