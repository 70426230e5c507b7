import type { Fault } from './faulty.js';

/** What may be wrong with words, order and price, and the check that must notice. */
export const SEARCH_FAULTS: readonly Fault[] = [
  {
    name: 'sort=price is ignored',
    noticed: 'sort=price has the lowest',
    target: (target) => target.replace('sort=price', 'sort=newest'),
  },
  {
    name: 'equal prices are oldest first',
    noticed: 'exact reverse',
    answer: (draft) => {
      if (!draft.query.includes('sort=-price') || draft.status !== 200) return;
      const list = JSON.parse(draft.body) as { data: { price: number }[] };
      list.data = list.data.reverse().sort((one, other) => other.price - one.price);
      draft.body = JSON.stringify(list);
    },
  },
  {
    name: 'sort=newest is oldest first',
    noticed: 'exact reverse',
    target: (target) => target.replace('sort=newest', 'sort=price'),
  },
  {
    name: 'price_min is left out',
    noticed: 'include both ends',
    target: (target) => target.replace(/price_min=[^&]*&?/, ''),
  },
  {
    name: 'price_max is exclusive',
    noticed: 'include both ends',
    target: (target) => target.replace(/price_max=([1-9][0-9]*)/, (_, price) => `price_max=${Number(price) - 1}`),
  },
  {
    name: 'the category is ignored together with prices',
    noticed: 'include both ends',
    target: (target) => (target.includes('price_min') ? target.replace(/category=[^&]*&/, '') : target),
  },
  {
    name: 'best is taken without words',
    noticed: '?sort=best is answered',
    target: (target) => target.replace(/[?]sort=best$/, ''),
  },
  {
    name: 'Link loses the order',
    noticed: 'Link keeps order',
    answer: (draft) => (draft.headers['link'] &&= draft.headers['link'].replaceAll(/sort=[^&]*&/g, '')),
  },
  {
    name: 'Link loses the words',
    noticed: 'Link keeps the words',
    answer: (draft) => (draft.headers['link'] &&= draft.headers['link'].replaceAll(/q=[^&]*&/g, '')),
  },
  {
    name: 'words are found in their case only',
    noticed: 'q finds an automation',
    target: (target) => target.replace(/q=([A-Z]{5,})/, 'q=$1qzx'),
  },
  {
    name: 'the beginning of a word is not enough',
    noticed: 'q finds an automation',
    target: (target) => target.replace(/q=(automatio|conformanc)&/, 'q=$1qzx&'),
  },
  {
    name: 'one of the words is enough',
    noticed: 'every word must occur',
    target: (target) => target.replace(/%20qzx\w*/, ''),
  },
  {
    name: 'only the first word counts',
    noticed: 'every word must occur',
    target: (target) => target.replace(/%20a&/, '&').replace(/%20qzx\w*/, ''),
  },
  {
    name: 'the total of a category is that without words',
    noticed: 'the total of q',
    target: (target) => target.replace(/q=[^&]*&(category=)/, '$1'),
  },
  {
    name: 'sort=best is by price',
    noticed: 'sort=best has first',
    target: (target) => target.replace('sort=best', 'sort=price'),
  },
  {
    name: 'a search without words is everything',
    noticed: '?q=! is answered',
    target: (target) => target.replace(/[?]q=!$/, ''),
  },
  {
    name: 'long words are cut',
    noticed: `?q=${'a'.repeat(58)} is answered with 400`,
    target: (target) => target.replace(/q=a{201}/, 'q=a'),
  },
];
