/**
 * One suite for each port, for authors of adapters. Its titles are the sentences of the port's comments.
 * @module automation-marketplace-contracts
 */
export { apiKeyRepositoryContract } from './api-key-repository.js';
export type { KeyStore } from './api-key-repository.js';
export { apiKeyVerifierContract } from './api-key-verifier.js';
export type { Credentialed } from './api-key-verifier.js';
export { auditLogContract } from './audit-log.js';
export { automationArchiveContract } from './automation-archive.js';
export type { ArchivedStore } from './archives.js';
export { automationRepositoryContract } from './automation-repository.js';
export { catalogueSearchContract } from './catalogue-search.js';
export { categoryRepositoryContract } from './category-repository.js';
export { developerRepositoryContract } from './developer-repository.js';
export { fileInspectorContract } from './file-inspector.js';
export { oauthRecordsContract } from './oauth-records.js';
export { reportRepositoryContract } from './report-repository.js';
export type { ReportStore } from './reports.js';
export type { OAuthStore } from './records.js';
export type { Inspectable } from './inspections.js';
export type { Fresh, OnEnd, Runner } from './runner.js';
export type { SearchableStore } from './searches.js';
export { sessionRepositoryContract } from './session-repository.js';
export type { SessionStore } from './sessions.js';
export { storageContract } from './storage.js';
export type { StorageSuiteOptions } from './storage.js';
export type { StorageHandles } from './storage-handles.js';
