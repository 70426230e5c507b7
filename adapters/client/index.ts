/**
 * A client of the API with types, over `fetch` alone: for Node, Deno, Bun and browsers.
 * @module automation-marketplace/client
 */
export type {
  Automations,
  CallOptions,
  ConditionalOptions,
  CreateOptions,
  MarketplaceClient,
  PageQuery,
} from './client.js';
export { createClient } from './client.js';
export { NoResponse } from './no-response.js';
export { ProblemError } from './problem-error.js';
export { UnexpectedResponse } from './responses.js';
export type { ClientOptions, Fetch, FetchInit, FetchResponse } from './options.js';
export type {
  Automation,
  AutomationFile,
  AutomationList,
  AutomationSummary,
  Category,
  CategoryList,
  CreateAutomation,
  FieldError,
  FileFacts,
  FilePart,
  ListQuery,
  NewFile,
  Problem,
  ProblemCode,
} from './types.js';
