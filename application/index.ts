/**
 * The marketplace without any technology: the core, its ports and the errors it throws. It imports no other package.
 *
 * An implementation of a port keeps every promise in the comments of the port. For all ports: values are stored
 * unchanged; values that go in and come out are copies; when the store cannot be reached, a call rejects with a
 * `DomainError` of kind `unavailable` (nothing was done) or `outcome-unknown` (a write was sent and no answer came);
 * every other failure passes unchanged.
 * @module automation-marketplace
 */
export { newCore } from './core.js';
export type { Core, CoreOptions, CorePorts, UseCases } from './core.js';
export { Marketplace } from './marketplace.js';
export type { MarketplaceOptions, Revised } from './marketplace.js';
export type { Created, KeyedDraft } from './created.js';
export type { AutomationList, ListRequest, UncheckedListRequest } from './list-request.js';
export { Catalogue } from './catalogue.js';
export type { CataloguePage, CataloguePorts, FoundAutomations } from './catalogue.js';
export { FairSearch } from './fair-search.js';
export type { FairSearchOptions } from './fair-search.js';
export { AutomationRecords } from './automation-records.js';
export type { RecordsRequest } from './automation-records.js';
export { Reports } from './reports.js';
export type { ReportedDetails, ReportedRow, ReportPorts, UpheldReports, Visitor } from './reports.js';
export type { RefusedFiles } from './file-intake.js';
export { MarketplaceCategories } from './marketplace-categories.js';
export type { UncheckedCategory } from './marketplace-categories.js';
export { AutomationTransfer } from './automation-transfer.js';
export type {
  DraftOutcome,
  ImportOutcome,
  ImportRequest,
  ImportSession,
  TransferPorts,
} from './automation-transfer.js';
export { DeveloperKeys } from './developer-keys.js';
export type { DeveloperKeysOptions, EndedKeys, IssuedKey, KeysRequest } from './developer-keys.js';
export type { KeyRequest } from './key-request.js';
export { Maintenance } from './maintenance.js';
export type { FirstAccess, FirstAccessParts } from './maintenance.js';
export { AuditTrail } from './audit-trail.js';
export type { AuditTrailOptions, HistoryRequest } from './audit-trail.js';
export type { ContextOptions } from './context.js';
export type { CursorPage, CursorRequest } from './cursor-page.js';
export { ScanningSearch } from './scanning-search.js';
export { RoutingApiKeyVerifier } from './routing-api-key-verifier.js';
export { StoredApiKeyVerifier } from './stored-api-key-verifier.js';
export type { StoredApiKeyVerifierOptions } from './stored-api-key-verifier.js';

export type {
  Activation,
  AddOutcome,
  OtherCurrency,
  ApiKeyQuery,
  ApiKeyRepository,
  ApiKeyVerifier,
  ArchivedAutomation,
  Audited,
  AuditLog,
  AuditQuery,
  AutomationArchive,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  CatalogueSearch,
  CategoryRepository,
  DeveloperAddition,
  DeveloperQuery,
  DeveloperRepository,
  DeveloperSuspension,
  Difference,
  EndedKeyQuery,
  FileInspection,
  FileInspector,
  IdentifiedDeveloper,
  KeyAddition,
  KeyReplacement,
  PrepareOptions,
  RecordAddition,
  RecordRemoval,
  StoreRecord,
  StoreState,
  NewAutomation,
  NewInvitation,
  OAuthRecord,
  OAuthRecordQuery,
  OAuthRecords,
  OperatorRule,
  OwnedRecord,
  PageAfter,
  Revision,
  RoleChange,
  ReviseOutcome,
  ScanQuery,
  ReportClosing,
  ReportOutcome,
  ReportQuery,
  ReportRepository,
  SearchOrder,
  SearchPage,
  SearchQuery,
  SessionRepository,
  SignIn,
  SignInReplacement,
  Storage,
  StorageSupport,
  CursorQuery,
  Withdrawal,
  WithdrawnBy,
  WithdrawOutcome,
} from '../domain/ports.js';
export { callerOf, isOperator, OPERATOR, parseDeveloperId, requireScope } from '../domain/access.js';
export type { Actor, Caller, DeveloperId, Operator, Origin, Person } from '../domain/access.js';
export type { ApiKey, ApiKeyId } from '../domain/api-key.js';
export { AUDIT_ACTIONS } from '../domain/audit.js';
export type {
  AuditAction,
  AuditEntry,
  AuditEntryId,
  AuditEvent,
  CategoryImport,
  ImportCounts,
} from '../domain/audit.js';
export { automationId, newAutomation } from '../domain/automation.js';
export type {
  Automation,
  AutomationDraft,
  AutomationId,
  AutomationSummary,
  ValidationContext,
  AutomationOrigin,
  FullDraft,
  RevisableField,
  UncheckedDraft,
} from '../domain/automation.js';
export type { UncheckedAutomation } from '../domain/imported-automation.js';
export { categoryId, newCategory } from '../domain/category.js';
export type { Category, CategoryId, CountedCategory } from '../domain/category.js';
export { DEFAULT_CURRENCY, parseCurrency } from '../domain/currency.js';
export type { Currency } from '../domain/currency.js';
export type { Developer, DeveloperStatus, Invitation } from '../domain/developer.js';
export type { DeveloperIdentity, Identity } from '../domain/identity.js';
export { COMPUTED_HOST } from '../domain/file-facts.js';
export type {
  Ability,
  AbilityUse,
  CredentialUse,
  FileFacts,
  FileViolation,
  FileViolationCode,
  RemainingDetails,
  RemovedKind,
  RemovedPart,
} from '../domain/file-facts.js';
export { parseFileName, PLATFORMS } from '../domain/file.js';
export type { AutomationFile, FileDraft, FileName, InspectedFile, PlatformName } from '../domain/file.js';
export { DomainError, FIELD_ERROR_CODES, isDomainError } from '../domain/errors.js';
export { HostRulesError } from './host-rules.js';
export type { AutomationRules, BrokenRule, RuleActor } from './host-rules.js';
export type { ErrorCode, ErrorKind, FieldError, FieldErrorCode } from '../domain/errors.js';
export { importKey, requestKey } from '../domain/idempotency.js';
export type { IdempotencyKey } from '../domain/idempotency.js';
export { newPage } from '../domain/page.js';
export type { Page } from '../domain/page.js';
export { inMajorUnits, minorUnits } from '../domain/price.js';
export type { MinorUnits, Price } from '../domain/price.js';
export type { Profile, PublicDeveloper } from '../domain/public-developer.js';
export { REPORT_KINDS } from '../domain/report.js';
export type {
  Report,
  ReportDecision,
  ReportedAutomation,
  ReportId,
  ReportKind,
  UncheckedReport,
} from '../domain/report.js';
export { ROLES, scopesOfRole } from '../domain/role.js';
export type { Role } from '../domain/role.js';
export { KEY_SCOPES, LIBRARY_SCOPE, parseScopes, SCOPES } from '../domain/scope.js';
export type { Scope } from '../domain/scope.js';
export type { SearchTerms, Term } from '../domain/search-terms.js';
export type { NewSession, Session } from '../domain/session.js';
