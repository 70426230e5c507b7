import { PLATFORMS } from '../../../../domain/file.js';
import fc from 'fast-check';
import { listQuerySchema } from '../../../../adapters/api/schemas.js';
import { parseCurrency } from '../../../../domain/currency.js';
import { TEST_CATEGORIES } from '../../../support/storages.js';

const NO_INTEGER = fc.oneof(
  fc.constantFrom('', '0', '-1', '01', '1.5', '1e3', '0x1', ' 1', '1 ', '١', 'NaN', '1000000000', '[]', '{}', '\u0000'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => !/^[1-9][0-9]{0,8}$/.test(text)),
);
const LIST_PARAMETERS = Object.keys(listQuerySchema(parseCurrency('USD'), true).properties);
const UNKNOWN_NAME = fc
  .string({ unit: 'binary', maxLength: 8 })
  .filter((name) => ![...LIST_PARAMETERS, 'access_token'].includes(name));

const price = fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => cents / 100);
const NO_PRICE = fc.oneof(
  fc.constantFrom('', '-1', '01', '.5', '1.', '1e3', '0x1', ' 1', '1.005', '100000000', 'NaN', '[]', '\u0000'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => !/^\d+(\.\d+)?$/.test(text)),
);
const WORDS = ['hostile', 'sent', 'by', 'a', 'test', 'TÉST', '字', 'عربي', 'हिन्दी', '!'];
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((some) => ['h', ...some].join(' '));
const NO_WORDS = fc.oneof(
  fc.constantFrom('', ' ', '!?', '🎟', '\u0000', 'a'.repeat(201), '字'.repeat(201), 'a b '.repeat(51)),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !/[\p{L}\p{N}]/u.test(text.normalize('NFKD'))),
);

/** Right parameters of a list, some of them or all. */
export const parameters = fc
  .record(
    {
      q: words,
      platform: fc.constantFrom(...PLATFORMS),
      sort: fc.constantFrom('newest', 'price', '-price', 'best'),
      prices: fc.tuple(price, price).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const),
      page: fc.integer({ min: 1, max: 999_999_999 }).map(String),
      limit: fc.integer({ min: 1, max: 100 }).map(String),
      category: fc.oneof(
        fc.constantFrom(...TEST_CATEGORIES.map(({ id }) => id)),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      ),
    },
    { requiredKeys: [] },
  )
  .map(({ prices, sort, ...wanted }) => {
    const [lowest, highest] = prices ?? [];
    const mayBest = sort === 'best' && wanted.q === undefined ? 'newest' : sort;
    return Object.entries({ ...wanted, sort: mayBest, price_min: lowest, price_max: highest })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]);
  });

/** A parameter that is wrong whatever stands next to it. */
export const wrongParameter = fc.oneof(
  NO_INTEGER.map((value): [string, string] => ['page', value]),
  NO_INTEGER.map((value): [string, string] => ['limit', value]),
  fc.integer({ min: 101, max: 999_999_999 }).map((value): [string, string] => ['limit', String(value)]),
  fc.constant<[string, string]>(['category', '']),
  NO_WORDS.map((value): [string, string] => ['q', value]),
  fc.tuple(fc.constantFrom('price_min', 'price_max'), NO_PRICE),
  fc.string({ maxLength: 8 }).map((value): [string, string] => ['sort', `${value}x`]),
  fc.tuple(UNKNOWN_NAME, fc.string()),
);
