import { SLUG_MAX_LENGTH, SLUG_PATTERN } from '../../domain/slug.js';
import { DESCRIPTION, LICENSE, TITLE } from '../../domain/automation.js';
import { CATEGORY_NAME } from '../../domain/category.js';
import { decimalsOf, type Currency } from '../../domain/currency.js';
import { SEARCH_ORDERS } from '../../application/list-request.js';
import { PLATFORMS } from '../../domain/file.js';
import { LIMIT_BOUNDS, PAGE_BOUNDS } from '../../domain/page.js';
import { highestPrice } from '../../domain/price.js';
import { WEBSITE } from '../../domain/public-developer.js';
import { SEARCH_BOUNDS } from '../../domain/search-terms.js';
import { allowedCharacters, type TextRule } from '../../domain/text.js';
import { SLUGS } from '../edge/problems/table.js';
import { PROBLEM_FIELD_CODES } from '../edge/problems/problem.js';

/**
 * The JSON Schemas (2020-12) of everything on the wire, of which the OpenAPI document is made. The query of the list is
 * validated by its schema; a draft and the words of a search are judged by the core, with the same bounds and patterns.
 * Lengths count code points, those of a draft after trimming. No schema has the decimals of a price: `multipleOf: 0.01`
 * would reject one valid price in nine.
 */
const uuid = { type: 'string', format: 'uuid' } as const;
const title = {
  type: 'string',
  minLength: 1,
  maxLength: TITLE.maxLength,
  pattern: allowedCharacters(TITLE),
  description: 'One line of text. The ends are trimmed; the length counts code points after that.',
} as const;
const description = {
  type: 'string',
  minLength: 1,
  maxLength: DESCRIPTION.maxLength,
  pattern: allowedCharacters(DESCRIPTION),
  description: 'Text with line feeds and tabs. The ends are trimmed; the length counts code points after that.',
} as const;
const slug = { type: 'string', minLength: 1, maxLength: SLUG_MAX_LENGTH, pattern: SLUG_PATTERN } as const;
const categoryId = { ...slug, description: 'The id of a category.' } as const;
const url = optionalText(WEBSITE, 'Where to get it or read more: an address that begins with `https://`.');
const license = optionalText(LICENSE, 'An SPDX identifier, such as `MIT`, or words, in one line.');
const count = { type: 'integer', minimum: 0 } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;
const filePart = {
  type: 'object',
  required: ['kind', 'count'],
  properties: { kind: { type: 'string' }, count },
} as const;
const parts = { type: 'array', items: filePart } as const;
const credentialUse = {
  type: 'object',
  required: ['type', 'host'],
  properties: { type: { type: 'string' }, host: { type: 'string' } },
} as const;
const remaining = {
  type: 'object',
  required: ['documents', 'hosts', 'emails'],
  properties: { documents: texts, hosts: texts, emails: texts },
  description: 'Details that may be private.',
} as const;
const newFile = {
  type: ['object', 'null'],
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, description: 'Its ending decides the media type.' },
    text: { type: 'string', description: 'The content of a file in UTF-8. Either this or `base64`.' },
    base64: { type: 'string', description: 'The bytes of any file (RFC 4648, section 4).' },
  },
  description:
    'The automation itself, as its tool exports it: 1 byte to 1 MiB. Only for what costs nothing. Credentials, ids ' +
    'and sample data are removed from files of known platforms; a file with what looks like a secret is refused.',
} as const;
const facts = {
  type: ['object', 'null'],
  required: [
    ...(['needs', 'hosts', 'credentials', 'abilities', 'community_packages', 'broken_connections'] as const),
    ...(['unconnected_steps', 'remaining', 'is_complete'] as const),
  ],
  properties: {
    needs: { ...texts, description: 'The services that it works with.' },
    hosts: { ...texts, description: 'The hosts that it calls; `computed` for those known only when it runs.' },
    credentials: {
      type: 'array',
      items: credentialUse,
      description: 'Which type of credential goes to which host.',
    },
    abilities: { ...parts, description: 'What its steps can do, such as `code`, and how many of them.' },
    community_packages: { ...texts, description: 'Packages that the platform does not bring.' },
    broken_connections: { ...count, description: 'Connections from or to a step that is not there.' },
    unconnected_steps: { ...count, description: 'Steps without a connection.' },
    remaining,
    is_complete: { type: 'boolean', description: 'Whether the lists have everything: each has at most 50 entries.' },
  },
  description: 'What was read from it, without running it; of a file of a platform alone.',
} as const;
const file = {
  type: ['object', 'null'],
  required: ['name', 'media_type', 'size', 'sha256', 'platform', 'url', 'facts'],
  properties: {
    name: { type: 'string' },
    media_type: { type: 'string' },
    size: { ...count, description: 'The number of bytes.' },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'In hexadecimal.' },
    platform: { type: ['string', 'null'], description: 'The platform whose file it is, such as `n8n`.' },
    url: { type: ['string', 'null'], description: 'Where to get it.' },
    facts,
    removed: { ...parts, description: 'What was removed from what was sent: in the response to a create alone.' },
  },
  description: 'The automation itself, as its tool exports it.',
} as const;

/** The objects within others that have a name of their own in the OpenAPI document. */
export const NESTED_SCHEMAS: Readonly<Record<string, object>> = {
  AutomationFile: file,
  FileFacts: facts,
  FilePart: filePart,
  CredentialUse: credentialUse,
  RemainingDetails: remaining,
  NewFile: newFile,
};

function optionalText(rule: TextRule, meaning: string) {
  const description = `${meaning} Null and empty are the same.`;
  const { maxLength } = rule;
  return { type: ['string', 'null'], maxLength, pattern: allowedCharacters(rule), description } as const;
}

function price(currency: Currency) {
  return {
    type: 'number',
    minimum: 0,
    maximum: highestPrice(currency),
    description: `In major units of ${currency}, with at most ${decimalsOf(currency)} decimals, exact.`,
  } as const;
}

export function createAutomationSchema(currency: Currency) {
  return {
    type: 'object',
    required: ['title', 'description', 'price', 'category_id'],
    additionalProperties: false,
    properties: { title, description, price: price(currency), category_id: categoryId, url, license, file: newFile },
  } as const;
}

/** The members of an automation, in their order. */
export const AUTOMATION_MEMBERS = [
  ...(['id', 'title', 'description', 'price', 'currency', 'category_id'] as const),
  ...(['developer_id', 'url', 'license', 'file', 'created_at', 'updated_at'] as const),
] as const;

export function automationSchema(currency: Currency) {
  return {
    type: 'object',
    required: AUTOMATION_MEMBERS,
    properties: {
      id: uuid,
      title,
      description,
      price: price(currency),
      currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217; the same for the whole marketplace.' },
      category_id: categoryId,
      developer_id: { ...slug, description: 'The id of the developer.' },
      url,
      license,
      file,
      created_at: { type: 'string', format: 'date-time', description: 'RFC 3339, in UTC, with milliseconds.' },
      updated_at: {
        type: 'string',
        format: 'date-time',
        description: 'The time of the last revision, else that of the creation. Strictly increasing.',
      },
    },
  } as const;
}

/** Returns what a list has of an automation. */
export function automationSummarySchema(currency: Currency) {
  return {
    type: 'object',
    required: ['id', 'title', 'price'],
    properties: { id: uuid, title, price: price(currency) },
  } as const;
}

/** Returns the schema of a page of items with this schema. */
export function automationListSchema<Items extends object>(items: Items) {
  return {
    type: 'object',
    required: ['data', 'total', 'page'],
    properties: {
      data: { type: 'array', maxItems: LIMIT_BOUNDS.highest, items },
      total: { ...count, description: 'The number of automations that match, on all pages.' },
      page: { type: 'integer', minimum: PAGE_BOUNDS.lowest, maximum: PAGE_BOUNDS.highest },
    },
  } as const;
}

export const categorySchema = {
  type: 'object',
  required: ['id', 'name', 'automation_count'],
  properties: {
    id: slug,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: CATEGORY_NAME.maxLength,
      pattern: allowedCharacters(CATEGORY_NAME),
    },
    automation_count: { ...count, description: 'The number of automations on sale in it.' },
  },
} as const;

/** Returns the schema of all categories, each with this schema. */
export function categoryListSchema<Items extends object>(items: Items) {
  return {
    type: 'object',
    required: ['data', 'total'],
    properties: { data: { type: 'array', items }, total: count },
  } as const;
}

/** Returns the query parameters of the list, by name. Without `search`, nothing finds by words. */
export function listQuerySchema(currency: Currency, search: boolean) {
  return { type: 'object', additionalProperties: false, properties: listParameters(currency, search) } as const;
}

function listParameters(currency: Currency, search: boolean) {
  return {
    page: {
      type: 'integer',
      minimum: PAGE_BOUNDS.lowest,
      maximum: PAGE_BOUNDS.highest,
      default: PAGE_BOUNDS.usual,
      description: 'The number of the page, from 1. A page past the end is empty and has the true total.',
    },
    limit: {
      type: 'integer',
      minimum: LIMIT_BOUNDS.lowest,
      maximum: LIMIT_BOUNDS.highest,
      default: LIMIT_BOUNDS.usual,
      description: 'The number of automations per page.',
    },
    category: {
      type: 'string',
      minLength: 1,
      description: 'Only automations of the category with this id. An unknown id gives an empty list.',
    },
    platform: {
      type: 'string',
      enum: PLATFORMS,
      description: 'Only automations with a file of this platform.',
    },
    after,
    ...(search && { q }),
    sort: sort(search),
    price_min: priceBound(currency, 'least'),
    price_max: priceBound(currency, 'most'),
  } as const;
}

const after = {
  type: 'string',
  minLength: 1,
  description:
    'The id of an automation: the page has those that come after it, newest first, also when it was withdrawn ' +
    'meanwhile. To read everything, begin without it and go on behind the last one, with the `next` of `Link`: so ' +
    'none is lost or read twice while others are published and withdrawn. Only together with `category` and `limit`; ' +
    '`page` in the response is 1. An unknown id is refused.',
} as const;

const q = {
  type: 'string',
  minLength: 1,
  maxLength: SEARCH_BOUNDS.maxLength,
  description:
    'Only automations with all of these words in title or description, some in one and some in the other, whatever ' +
    'their case and accents. The last word may be the beginning of one. Characters in a row of Chinese, Japanese, ' +
    'Thai, Lao, Khmer or Burmese are found as they are, also inside a longer row. At least one letter or digit; of ' +
    'more than 16 words, the 16 longest count.',
} as const;

function sort(search: boolean) {
  const best =
    '; `best`, only together with `q`: first those whose title is the search, then those whose title has all its ' +
    'words, then those whose title has them with the last as a beginning, then the others; newest first in each group';
  return {
    type: 'string',
    enum: SEARCH_ORDERS.filter((order) => search || order !== 'best'),
    default: SEARCH_ORDERS[0],
    description:
      'The order: `newest` first; `price`, the lowest first, and equal prices newest first; `-price`, the exact ' +
      `reverse of \`price\`${search ? best : ''}.`,
  } as const;
}

function priceBound(currency: Currency, end: 'least' | 'most') {
  const { description: unit, ...bounds } = price(currency);
  return { ...bounds, description: `Only automations that cost at ${end} this. ${unit}` } as const;
}

export const fieldErrorSchema = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'A member of the body, as a JSON Pointer (RFC 6901).' },
    parameter: { type: 'string', description: 'A query parameter.' },
    code: { type: 'string', enum: PROBLEM_FIELD_CODES, description: 'The kind of rule that is broken.' },
    detail: { type: 'string', description: 'What is allowed, for people.' },
  },
} as const;

/** Returns the schema of a problem document (RFC 9457) whose errors have this schema. */
export function problemSchema<Items extends object>(items: Items) {
  return {
    type: 'object',
    required: ['type', 'code', 'title', 'status', 'detail', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'The address of an explanation.' },
      code: { type: 'string', enum: SLUGS, description: 'The kind of problem, for programs.' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      instance: { type: 'string', description: 'The request id, as in X-Request-Id.' },
      errors: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        description: 'Every mistake, each with a JSON Pointer or a parameter.',
        items,
      },
    },
  } as const;
}
