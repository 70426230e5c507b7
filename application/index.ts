/** The marketplace without any technology: the core, its ports and the errors it throws. Imports no other package. */
export { Marketplace } from './marketplace.js';
export type { AutomationList, Created, ListRequest, MarketplaceOptions } from './marketplace.js';
export { DeveloperKeys } from './developer-keys.js';
export type { DeveloperKeysOptions, IssuedKey, KeyRequest } from './developer-keys.js';
export { RoutingApiKeyVerifier } from './routing-api-key-verifier.js';
export { StoredApiKeyVerifier } from './stored-api-key-verifier.js';
export { CachingApiKeyRepository } from './caching-api-key-repository.js';
export type { CachingOptions } from './caching-api-key-repository.js';
export { GroupCommitAutomationRepository } from './group-commit-automation-repository.js';

export type {
  AddOutcome,
  ApiKeyRepository,
  ApiKeyVerifier,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  CategoryRepository,
  Offer,
  Withdrawal,
} from '../domain/ports.js';
export { developerOfSubject, OPERATOR, parseDeveloperId, parseScopes, requireScope, SCOPES } from '../domain/access.js';
export type { Caller, DeveloperId, Scope } from '../domain/access.js';
export type { ApiKey, ApiKeyId } from '../domain/api-key.js';
export { automationId, newAutomation } from '../domain/automation.js';
export type {
  Automation,
  AutomationDraft,
  AutomationId,
  AutomationSummary,
  Market,
  Offering,
  UncheckedDraft,
} from '../domain/automation.js';
export { categoryId, newCategory } from '../domain/category.js';
export type { Category, CategoryId, CountedCategory } from '../domain/category.js';
export { parseCurrency } from '../domain/currency.js';
export type { Currency } from '../domain/currency.js';
export { DomainError } from '../domain/errors.js';
export type { ErrorKind, FieldError, FieldErrorCode } from '../domain/errors.js';
export { importKey, requestKey } from '../domain/idempotency.js';
export type { IdempotencyKey } from '../domain/idempotency.js';
export { rangeOf, sizeOf, totalOf } from '../domain/numbering.js';
export type { Numbering, NumberRange } from '../domain/numbering.js';
export { newPage } from '../domain/page.js';
export type { Page } from '../domain/page.js';
export { inMajorUnits } from '../domain/price.js';
export type { Price } from '../domain/price.js';
