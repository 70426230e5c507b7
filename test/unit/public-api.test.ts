import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Entry {
  /** The built file, seen from here. */
  readonly path: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** What each entry of the package exports. Other code relies on these names: a change here is a decision. */
const ENTRIES: Readonly<Record<string, Entry>> = {
  'automation-marketplace': {
    path: '../../application/index.js',
    values: [
      'AUDIT_ACTIONS',
      'AuditTrail',
      'AutomationRecords',
      'AutomationTransfer',
      'DeveloperAccounts',
      'DeveloperKeys',
      'DeveloperSessions',
      'DomainError',
      'LoginThrottle',
      'Maintenance',
      'Marketplace',
      'OPERATOR',
      'Passwords',
      'RoutingApiKeyVerifier',
      'SCOPES',
      'StoredApiKeyVerifier',
      'automationId',
      'categoryId',
      'developerOfSubject',
      'holderName',
      'importKey',
      'inMajorUnits',
      'newAutomation',
      'newCategory',
      'newPage',
      'otherCurrency',
      'parseCurrency',
      'parseDeveloperId',
      'parseScopes',
      'planAdd',
      'requestKey',
      'requireScope',
      'searchFailure',
      'signInKey',
      'signInNameTaken',
    ],
    types: [
      'Account',
      'Activation',
      'Actor',
      'AddContext',
      'AddOutcome',
      'AddPlan',
      'ApiKey',
      'ApiKeyId',
      'ApiKeyRepository',
      'ApiKeyVerifier',
      'ArchivedAutomation',
      'AuditAction',
      'AuditEntry',
      'AuditEntryId',
      'AuditEvent',
      'AuditLog',
      'AuditQuery',
      'AuditTrailOptions',
      'Automation',
      'AutomationArchive',
      'AutomationDraft',
      'AutomationId',
      'AutomationList',
      'AutomationOrigin',
      'AutomationPage',
      'AutomationQuery',
      'AutomationRepository',
      'AutomationSummary',
      'Caller',
      'CatalogueSearch',
      'Category',
      'CategoryId',
      'CategoryRepository',
      'CountedCategory',
      'Created',
      'Currency',
      'CursorPage',
      'CursorQuery',
      'CursorRequest',
      'Developer',
      'DeveloperAccountsOptions',
      'DeveloperId',
      'DeveloperKeysOptions',
      'DeveloperRepository',
      'DeveloperSessionsOptions',
      'DeveloperStatus',
      'Difference',
      'ErrorCode',
      'ErrorKind',
      'FieldError',
      'FieldErrorCode',
      'FirstAccess',
      'HistoryRequest',
      'IdempotencyKey',
      'ImportCounts',
      'ImportOutcome',
      'ImportSession',
      'Invitation',
      'IssuedKey',
      'KeyHolder',
      'KeyRequest',
      'ListRequest',
      'LoginAttempt',
      'MarketplaceOptions',
      'NewAutomation',
      'Origin',
      'Page',
      'PasswordsOptions',
      'Price',
      'RecordsRequest',
      'RevisableField',
      'ReviseOutcome',
      'Revised',
      'Revision',
      'ScanQuery',
      'Scope',
      'SearchFailureCode',
      'SearchOrder',
      'SearchPage',
      'SearchQuery',
      'SearchTerms',
      'Session',
      'SessionRepository',
      'SignInOutcome',
      'SignedIn',
      'Storage',
      'StoredApiKeyVerifierOptions',
      'UncheckedAutomation',
      'UncheckedDraft',
      'UncheckedListRequest',
      'ValidationContext',
      'Welcome',
      'WithdrawOutcome',
      'Withdrawal',
    ],
  },
  'automation-marketplace/in-memory': {
    path: '../../adapters/in-memory/index.js',
    values: [
      'InMemoryApiKeyRepository',
      'InMemoryApiKeyVerifier',
      'InMemoryAuditLog',
      'InMemoryAutomationRepository',
      'InMemoryCategoryRepository',
      'InMemoryDeveloperRepository',
      'InMemorySessionRepository',
      'inMemoryStorage',
    ],
    types: [],
  },
  'automation-marketplace/contracts': {
    path: '../contracts/index.js',
    values: [
      'apiKeyRepositoryContract',
      'apiKeyVerifierContract',
      'auditLogContract',
      'automationArchiveContract',
      'automationRepositoryContract',
      'categoryRepositoryContract',
      'developerRepositoryContract',
      'sessionRepositoryContract',
      'storageContract',
    ],
    types: ['ArchivedStore', 'Credentialed', 'Fresh', 'Runner', 'StorageHandles'],
  },
  'automation-marketplace/storage': {
    path: '../../adapters/storage/index.js',
    values: [
      'BLOCK_SIZE',
      'BlockCounts',
      'CachingApiKeyRepository',
      'CachingDeveloperRepository',
      'GroupCommitAutomationRepository',
      'ScanningSearch',
      'cachedStorage',
      'untilClosed',
    ],
    types: ['BlockPosition', 'CachingOptions'],
  },
  'automation-marketplace/sqlite': {
    path: '../../adapters/sqlite/index.js',
    values: [
      'SqliteApiKeyRepository',
      'SqliteAuditLog',
      'SqliteAutomationArchive',
      'SqliteAutomationRepository',
      'SqliteCatalogueSearch',
      'SqliteCategoryRepository',
      'SqliteDatabase',
      'SqliteDeveloperRepository',
      'SqliteSessionRepository',
      'sqliteStorage',
    ],
    types: ['SqliteSettings', 'SqliteStorage'],
  },
  'automation-marketplace/mongodb': {
    path: '../../adapters/mongodb/index.js',
    values: [
      'MongoApiKeyRepository',
      'MongoAuditLog',
      'MongoAutomationArchive',
      'MongoAutomationRepository',
      'MongoCatalogueSearch',
      'MongoCategoryRepository',
      'MongoDeveloperRepository',
      'MongoSessionRepository',
      'mongoStorage',
      'newMongoClient',
      'ping',
      'prepareMongo',
      'recordCurrency',
    ],
    types: ['AnyDb', 'MongoStorage', 'MongoStorageSettings', 'OnDifference', 'SelfCheck'],
  },
  'automation-marketplace/oauth': {
    path: '../../adapters/oauth/index.js',
    values: ['JwtAccessTokenVerifier'],
    types: ['AccessTokenOptions'],
  },
  'automation-marketplace/http': {
    path: '../../adapters/http/index.js',
    values: ['SERVER_OPTIONS', 'createHttpApp', 'protectServer'],
    types: ['CompletedRequest', 'HttpOptions', 'Overload', 'ProtectedServer', 'ProtectionOptions', 'RateLimits'],
  },
  'automation-marketplace/composition': {
    path: '../../composition/index.js',
    values: [
      'API_KEY_REPOSITORY',
      'API_KEY_VERIFIER',
      'AUDIT_LOG',
      'AUDIT_TRAIL',
      'AUTOMATION_ARCHIVE',
      'AUTOMATION_RECORDS',
      'AUTOMATION_REPOSITORY',
      'AUTOMATION_TRANSFER',
      'CATALOGUE_SEARCH',
      'CATEGORY_REPOSITORY',
      'DEVELOPER_ACCOUNTS',
      'DEVELOPER_KEYS',
      'DEVELOPER_REPOSITORY',
      'DEVELOPER_SESSIONS',
      'HTTP_APP',
      'MAINTENANCE',
      'MARKETPLACE',
      'SESSION_REPOSITORY',
      'STORAGE',
      'coreModule',
      'createService',
      'httpModule',
      'inMemoryModule',
      'mongoModule',
      'oauthModule',
      'sqliteModule',
      'storageModule',
    ],
    types: ['CoreOptions', 'MarketplaceService', 'ServiceLog', 'ServiceOptions', 'StorageSettings'],
  },
};

describe('the package', () => {
  for (const [entry, { path, values, types }] of Object.entries(ENTRIES)) {
    const url = new URL(path, import.meta.url);

    it(`${entry} exports these values`, async () => {
      const exported = (await import(url.href)) as Readonly<Record<string, unknown>>;
      expect(Object.keys(exported)).to.deep.equal(values);
    });

    it(`${entry} exports these types beside them`, () => {
      const declarations = readFileSync(new URL(path.replace(/\.js$/, '.d.ts'), import.meta.url), 'utf8');
      expect(exportedNames(declarations)).to.deep.equal([...values, ...types].sort());
    });
  }
});

/** The names in the `export { ... }` lists of a declaration file, and of what it declares itself. */
function exportedNames(declarations: string): readonly string[] {
  const code = declarations.replace(/\/\*[\s\S]*?\*\//g, '');
  const declared = Array.from(
    code.matchAll(/^export declare (?:function|class|const) (\w+)/gm),
    ([, name = '']) => name,
  );
  expect(code.match(/^export (?!(type )?\{|declare )/gm), 'exports that are neither').to.equal(null);
  const lists = [...declared, ...Array.from(code.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, list = '']) => list)];
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort();
}
