import type { ListRequest, UseCases } from '../../application/index.js';
import { requestKey, IDEMPOTENCY_KEY_RULE } from '../../domain/idempotency.js';
import { PAGE_BOUNDS } from '../../domain/page.js';
import { codePoints } from '../../domain/text.js';
import { parseCreateRequest } from '../api/create-request.js';
import { parameterError } from '../api/list-query.js';
import {
  automationJson,
  automationListJson,
  categoryListJson,
  createdJson,
  type FileAddress,
} from '../api/representations.js';
import {
  automationListSchema,
  automationSchema,
  automationSummarySchema,
  categoryListSchema,
  categorySchema,
  createAutomationSchema,
  listQuerySchema,
} from '../api/schemas.js';
import { Problem } from '../edge/problems/problem.js';
import { checkArguments, invalidCall, typeMistake } from './arguments.js';
import type { NullableSchema, ObjectSchema } from './arguments.js';
import { getAutomationFile } from './file-tool.js';
import { ITEMS, itemsJson, partOfAutomation } from './results.js';
import type { Tool, ToolParts } from './tool.js';

/** The tool whose call may have a file. */
export const CREATE_TOOL = 'create_automation';

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

/** Returns the five tools, the same for every caller. */
export function agentTools({ marketplace, search, addressOf }: ToolParts): readonly Tool[] {
  const tools = [
    searchAutomations(marketplace, search),
    getAutomation(marketplace, addressOf),
    getAutomationFile(marketplace, addressOf),
    listCategories(marketplace),
    createAutomation(marketplace, addressOf),
  ];
  return tools.map((tool) => ({ ...tool, input: forAgents(tool.input), output: forAgents(tool.output) }));
}

/**
 * Returns a schema without patterns and formats, which the core checks anyway. Agents strip characters that are not
 * shown from patterns, which then refuse ordinary texts, and some refuse a schema with a format.
 */
function forAgents<Schema extends object>(schema: Schema): Schema {
  const isLeftOut = (name: string, value: unknown) => /^(?:pattern|format)$/.test(name) && typeof value === 'string';
  const text = JSON.stringify(schema, (name, value: unknown) => (isLeftOut(name, value) ? undefined : value));
  return JSON.parse(text) as Schema;
}

/** Returns the schemas with one type each: null is as if left out, and Gemini refuses a schema with two types. */
function withOneType(schemas: Readonly<Record<string, NullableSchema>>): ObjectSchema['properties'] {
  const typeOf = ({ type }: NullableSchema) => (typeof type === 'string' ? type : type[0]);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, type: typeOf(schema) }]),
  );
}

function searchAutomations(marketplace: UseCases['marketplace'], search: boolean): Tool {
  const { currency } = marketplace;
  const { after: _notForAgents, ...parameters } = listQuerySchema(currency, search).properties;
  const properties = { ...parameters, page, limit };
  const input = { type: 'object', properties } as const;
  const words = search ? 'words, ' : '';
  return {
    name: 'search_automations',
    title: 'Search automations',
    description: `Finds automations on sale by ${words}category, platform and price. The total is exact.`,
    scope: 'automations:read',
    input,
    output: automationListSchema(automationSummarySchema(currency)),
    run: async (caller, sent) => {
      const { values, errors } = checkArguments(sent, input);
      const { price_min: priceMin, price_max: priceMax, ...others } = values;
      const request = { ...others, priceMin, priceMax };
      const broken = [...errors, ...marketplace.reviewListRequest(request).map(parameterError)];
      if (broken.length > 0) throw invalidCall(broken);
      const list = await marketplace.listAutomations(caller, { limit: limit.default, ...(request as ListRequest) });
      return itemsJson(automationListJson(list), 'title');
    },
  };
}

function getAutomation(marketplace: UseCases['marketplace'], addressOf?: FileAddress): Tool {
  const automation = automationSchema(marketplace.currency);
  const properties = { id: automation.properties.id, description_from: descriptionFrom };
  const input = { type: 'object', required: ['id'], properties } as const;
  return {
    name: 'get_automation',
    title: 'Read an automation',
    description: 'Returns one automation. A very long description comes in parts.',
    scope: 'automations:read',
    input,
    output: {
      ...automation,
      properties: { ...automation.properties, description_continues_at: descriptionContinuesAt },
    },
    run: async (caller, sent) => {
      const { values, errors } = checkArguments(sent, input);
      if (errors.length > 0) throw invalidCall(errors);
      const from = Number(values['description_from'] ?? descriptionFrom.default);
      const found = automationJson(await marketplace.readAutomation(caller, String(values['id'])), addressOf);
      if (from > 0 && from >= codePoints(found.description)) {
        const detail = 'must be less than the length of the description';
        throw invalidCall([{ parameter: 'description_from', code: 'out-of-range', detail }]);
      }
      return partOfAutomation(found, from);
    },
  };
}

function listCategories(marketplace: UseCases['marketplace']): Tool {
  const input = { type: 'object', properties: { page, limit } } as const;
  const categories = categoryListSchema(categorySchema);
  return {
    name: 'list_categories',
    title: 'List categories',
    description: 'Returns the categories by name, each with its number of automations on sale.',
    scope: 'automations:read',
    input,
    output: { ...categories, properties: { ...categories.properties, page } },
    run: async (caller, sent) => {
      const { values, errors } = checkArguments(sent, input);
      if (errors.length > 0) throw invalidCall(errors);
      const [number, size] = [Number(values['page'] ?? page.default), Number(values['limit'] ?? limit.default)];
      const { data, total } = categoryListJson(await marketplace.listCategories(caller));
      return itemsJson({ data: data.slice((number - 1) * size, number * size), total, page: number }, 'name');
    },
  };
}

function createAutomation(marketplace: UseCases['marketplace'], addressOf?: FileAddress): Tool {
  const automation = automationSchema(marketplace.currency);
  const draft = createAutomationSchema(marketplace.currency);
  return {
    name: CREATE_TOOL,
    title: 'Put an automation on sale',
    description:
      'Publishes an automation at once, in the name of the developer, with its file if it costs nothing. Ask the ' +
      'user before you call it.',
    scope: 'automations:write',
    input: {
      type: 'object',
      required: [...draft.required, 'idempotency_key'],
      properties: { ...withOneType(draft.properties), idempotency_key: idempotencyKey },
    },
    output: {
      ...automation,
      properties: { ...automation.properties, description_continues_at: descriptionContinuesAt, replayed },
    },
    run: async (caller, { idempotency_key: key, ...body }) => {
      const name = keyOf(key);
      const draftOfBody = await parseCreateRequest(caller, body, marketplace);
      const created = await marketplace.createAutomationOnce(caller, draftOfBody, name);
      const json = createdJson(created.automation, created.removed, addressOf);
      return { ...partOfAutomation(json), replayed: created.replayed };
    },
  };
}

function keyOf(key: unknown) {
  const mistake = key === undefined ? undefined : typeMistake(key, idempotencyKey);
  try {
    return requestKey(key as string);
  } catch {
    throw new Problem('idempotency-key-invalid', `idempotency_key ${mistake?.detail ?? IDEMPOTENCY_KEY_RULE}.`);
  }
}
