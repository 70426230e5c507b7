import { refused, type Row } from './row.js';
import { right, wrong } from './queries.js';

const NO_PRICES = [
  ...['-1', '-0', '%2B1', '+1', '01', '00', '.5', '5.', '1.234', '1.000', '1,50', '1e1', '0x1', '1_0', '1.2.3', '1-2'],
  ...['NaN', 'Infinity', 'free', 'null', '$5', '5%20', '%205', '1%00', '%D9%A1', '%EF%BC%91', '[1]'],
  ...['100000000', '99999999.991', '100000000.00', '9007199254740993', '9'.repeat(4_000)],
];

const NO_WORDS = ['%20', '!', '%2B', '-', '...', '%F0%9F%98%80', '%00', '%E2%80%8B', "'--", '$', '%2A', '%22%22'];

const NO_ORDERS = [
  ...['Price', 'price%20', '+price', '%2Bprice', '--price', '-newest', 'oldest', 'asc', 'toString', '0', 'price,best'],
];

/** Also those that an engine might take for operators, and those of full length. */
const WORDS = [
  ...[
    'conformance',
    'CONFORMANCE+created',
    'a%2Bb',
    'x!',
    '%C3%A9',
    'e%CC%81',
    '%D8%B9%D8%B1',
    '%E5%AD%97',
    "o'reilly",
  ],
  ...['%22a', 'a*', 'NEAR(a+b)', 'a+OR+b', 'NOT+a', 'title%3Aa', '%7B%22$gt%22%3A1%7D', '.*a', '(a', '%5Ba', 'a%00'],
  ...[
    '%25a%25',
    'a'.repeat(200),
    '%F0%9D%92%B3'.repeat(200),
    '%E5%AD%97'.repeat(200),
    'a+b+c+d+e+f+g+h+i+j+k+l',
    '++a++',
  ],
  ...['c%2B%2B', 'C%23', 'c%2B%23%22', '%3Da%3Db', '%5Cc%2B', `${'a+'.repeat(99)}b`, '%E5%AD%97a'.repeat(100)],
];

export const SEARCH_ROWS: readonly Row[] = [
  ...NO_PRICES.map((value) => wrong(`price_min=${value}`, 'price_min')),
  ...NO_PRICES.map((value) => wrong(`price_max=${value}`, 'price_max')),
  ...NO_WORDS.map((value) => wrong(`q=${value}`, 'q')),
  wrong(`q=${'a'.repeat(201)}`, 'q'),
  wrong(`q=${'%F0%9D%92%B3'.repeat(201)}`, 'q'),
  wrong(`q=${'a+'.repeat(2_000)}`, 'q'),
  wrong('q=%FF', 'q'),
  wrong('q=%ED%A0%80', 'q'),
  wrong('q=', 'q'),
  wrong('q', 'q'),
  wrong('q=a&q=a', 'q'),
  wrong('Q=a', 'Q'),
  wrong('q[]=a', 'q[]'),
  wrong('search=a', 'search'),
  ...['', 'N8N', 'zapier', 'n8n,n8n'].map((value) => wrong(`platform=${value}`, 'platform')),
  wrong('platform=n8n&platform=n8n', 'platform'),
  wrong('sort=', 'sort'),
  wrong('sort=best', 'sort'),
  wrong('sort=best&q=', 'sort', 'q'),
  wrong('sort=price&sort=price', 'sort'),
  ...NO_ORDERS.map((value) => wrong(`sort=${value}`, 'sort')),
  wrong('q=a&sort=Best', 'sort'),
  wrong('price_min=', 'price_min'),
  wrong('price_max', 'price_max'),
  wrong('price_min=1&price_min=1', 'price_min'),
  wrong('price_min=2&price_max=1.99', 'price_min'),
  wrong('price_min=0.01&price_max=0', 'price_min'),
  wrong('price-min=1', 'price-min'),
  wrong('priceMin=1', 'priceMin'),
  wrong('price_min=x&price_max=1', 'price_min'),
  wrong('q=!&sort=up&price_min=x&price_max=-1&page=0&x=1', 'q', 'sort', 'price_min', 'price_max', 'page', 'x'),
  refused('an automation with words', 400, 'invalid-query', { target: '/api/automations/{id}?q=a', fields: ['q'] }),
  refused('categories with words', 400, 'invalid-query', { target: '/api/categories?q=a', fields: ['q'] }),
  refused('categories in an order', 400, 'invalid-query', { target: '/api/categories?sort=price', fields: ['sort'] }),
  ...WORDS.map((value) => right(`q=${value}`)),
  right('q=conformance&sort=best&price_min=0&price_max=99999999.99&category=ai-agents&limit=1&page=999999999'),
  ...['', '&category=ai-agents&sort=price', '&q=a&page=9'].map((other) => right(`platform=n8n${other}`)),
  ...['newest', 'price', '-price', '%2Dprice'].map((value) => right(`sort=${value}`)),
  ...['0', '0.0', '0.00', '9.9', '9.99', '99999999.99', '99999999', '%39'].map((value) => right(`price_min=${value}`)),
  right('price_min=9.99&price_max=9.99'),
  right('category=no-such-category&q=a&sort=price'),
];
