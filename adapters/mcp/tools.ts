import type { ListRequest, UseCases } from '../../application/index.js';
import type { Caller } from '../../domain/access.js';
import { requestKey, IDEMPOTENCY_KEY_RULE } from '../../domain/idempotency.js';
import { PAGE_BOUNDS } from '../../domain/page.js';
import type { Scope } from '../../domain/scope.js';
import { codePoints } from '../../domain/text.js';
import { parseCreateRequest } from '../http/api/create-request.js';
import { parameterError } from '../http/api/list-query.js';
import { invalidQuery } from '../http/api/query-string.js';
import { automationJson, automationListJson, categoryListJson } from '../http/api/representations.js';
import {
  automationListSchema,
  automationSchema,
  automationSummarySchema,
  categoryListSchema,
  categorySchema,
  createAutomationSchema,
  listQuerySchema,
} from '../http/api/schemas.js';
import { Problem, truncate, type ProblemField } from '../http/problems/problem.js';
import { ITEMS, itemsJson, partOfAutomation } from './results.js';

/** The arguments of a call, unchecked. */
type Arguments = Readonly<Record<string, unknown>>;

/** One of the tools for agents. It has the names, the rules and the errors of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  /** JSON Schemas of 2020-12, for the agent. The core judges what is sent. */
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly run: (caller: Caller, sent: Arguments) => Promise<object>;
}

interface ObjectSchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

export interface ToolParts {
  readonly marketplace: UseCases['marketplace'];
  /** Whether automations can be found by words. */
  readonly search: boolean;
}

const page = {
  type: 'integer',
  minimum: PAGE_BOUNDS.lowest,
  maximum: PAGE_BOUNDS.highest,
  default: PAGE_BOUNDS.usual,
  description: 'The number of the page, from 1. A page past the end is empty and has the true total.',
} as const;
const limit = {
  type: 'integer',
  minimum: ITEMS.lowest,
  maximum: ITEMS.highest,
  default: ITEMS.usual,
  description: 'The number of items per page.',
} as const;
const descriptionFrom = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: 'Where the description begins: the `description_continues_at` of the answer before, to read on.',
} as const;
const descriptionContinuesAt = { type: 'integer', minimum: 1, description: 'Only if there is more to read.' } as const;
const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A new value, such as a UUID, for each automation; the same value again if the answer did not come. For 24 ' +
    'hours, a call with the same key returns the first automation and stores nothing.',
} as const;
const replayed = {
  type: 'boolean',
  description: 'Whether an earlier call with this key made the automation.',
} as const;

/** Returns the four tools, the same for every caller. */
export function agentTools({ marketplace, search }: ToolParts): readonly Tool[] {
  return [
    searchAutomations(marketplace, search),
    getAutomation(marketplace),
    listCategories(marketplace),
    createAutomation(marketplace),
  ];
}

function searchAutomations(marketplace: UseCases['marketplace'], search: boolean): Tool {
  const { currency } = marketplace;
  const properties = { ...listQuerySchema(currency, search).properties, page, limit };
  return {
    name: 'search_automations',
    title: 'Search automations',
    description: `Finds automations on sale by ${search ? 'words, ' : ''}category and price. The total is exact.`,
    scope: 'automations:read',
    input: { type: 'object', properties },
    output: automationListSchema(automationSummarySchema(currency)),
    run: async (caller, sent) => {
      const { errors, ...wanted } = checkPage(sent, properties);
      const { category, q, sort, price_min: priceMin, price_max: priceMax } = sent;
      const request = { category, q: search ? q : undefined, sort, priceMin, priceMax };
      const broken = [...errors, ...marketplace.reviewListRequest(request).map(parameterError)];
      if (broken.length > 0) throw invalidQuery(broken);
      const list = await marketplace.listAutomations(caller, { ...(request as ListRequest), ...wanted });
      return itemsJson(automationListJson(list), 'title');
    },
  };
}

function getAutomation(marketplace: UseCases['marketplace']): Tool {
  const automation = automationSchema(marketplace.currency);
  const properties = { id: automation.properties.id, description_from: descriptionFrom };
  return {
    name: 'get_automation',
    title: 'Read an automation',
    description: 'Returns one automation. A very long description comes in parts.',
    scope: 'automations:read',
    input: { type: 'object', required: ['id'], properties },
    output: {
      ...automation,
      properties: { ...automation.properties, description_continues_at: descriptionContinuesAt },
    },
    run: async (caller, sent) => {
      const { id, description_from: from = 0 } = sent;
      const errors = unknownArguments(sent, properties);
      if (typeof id !== 'string') errors.push({ parameter: 'id', code: 'required', detail: 'must be a text' });
      if (!Number.isSafeInteger(from) || Number(from) < 0)
        errors.push({ parameter: 'description_from', code: 'out-of-range', detail: 'must be an integer, 0 or more' });
      if (errors.length > 0) throw invalidQuery(errors);
      const found = automationJson(await marketplace.readAutomation(caller, String(id)));
      if (Number(from) > 0 && Number(from) >= codePoints(found.description)) {
        const detail = 'must be less than the length of the description';
        throw invalidQuery([{ parameter: 'description_from', code: 'out-of-range', detail }]);
      }
      return partOfAutomation(found, Number(from));
    },
  };
}

function listCategories(marketplace: UseCases['marketplace']): Tool {
  const properties = { page, limit };
  const categories = categoryListSchema(categorySchema);
  return {
    name: 'list_categories',
    title: 'List categories',
    description: 'Returns the categories by name, each with its number of automations on sale.',
    scope: 'automations:read',
    input: { type: 'object', properties },
    output: { ...categories, properties: { ...categories.properties, page } },
    run: async (caller, sent) => {
      const { errors, ...wanted } = checkPage(sent, properties);
      if (errors.length > 0) throw invalidQuery(errors);
      const { data, total } = categoryListJson(await marketplace.listCategories(caller));
      const end = wanted.page * wanted.limit;
      return itemsJson({ data: data.slice(end - wanted.limit, end), total, page: wanted.page }, 'name');
    },
  };
}

function createAutomation(marketplace: UseCases['marketplace']): Tool {
  const automation = automationSchema(marketplace.currency);
  const draft = createAutomationSchema(marketplace.currency);
  return {
    name: 'create_automation',
    title: 'Put an automation on sale',
    description: 'Publishes an automation at once, in the name of the developer. Ask the user before you call it.',
    scope: 'automations:write',
    input: {
      type: 'object',
      required: [...draft.required, 'idempotency_key'],
      properties: { ...draft.properties, idempotency_key: idempotencyKey },
    },
    output: {
      ...automation,
      properties: { ...automation.properties, description_continues_at: descriptionContinuesAt, replayed },
    },
    run: async (caller, { idempotency_key: key, ...body }) => {
      const name = keyOf(key);
      const draftOfBody = await parseCreateRequest(caller, body, marketplace);
      const created = await marketplace.createAutomationOnce(caller, draftOfBody, name);
      return { ...partOfAutomation(automationJson(created.automation)), replayed: created.replayed };
    },
  };
}

function keyOf(key: unknown) {
  try {
    return requestKey(key as string);
  } catch {
    throw new Problem('idempotency-key-invalid', `idempotency_key ${IDEMPOTENCY_KEY_RULE}.`);
  }
}

/** Returns the page that is asked for, and every mistake in the names and in the page. */
function checkPage(sent: Arguments, known: object) {
  const { page: number = page.default, limit: size = limit.default } = sent;
  const errors = unknownArguments(sent, known);
  for (const [parameter, value, { minimum, maximum }] of [
    ['page', number, page],
    ['limit', size, limit],
  ] as const)
    if (!Number.isInteger(value) || Number(value) < minimum || Number(value) > maximum)
      errors.push({ parameter, code: 'out-of-range', detail: `must be an integer from ${minimum} to ${maximum}` });
  return { page: Number(number), limit: Number(size), errors };
}

function unknownArguments(sent: Arguments, known: object): ProblemField[] {
  const names = Object.keys(known);
  return Object.keys(sent)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      parameter: truncate(name),
      code: 'unknown-parameter',
      detail: `is unknown; allowed are ${names.join(', ')}`,
    }));
}
