/**
 * What a storage can put around its repositories: caches, and group commit.
 * @module automation-marketplace/storage
 */
export { CachingApiKeyRepository, CachingDeveloperRepository } from './cached-repositories.js';
export type { CachingOptions } from './cached-repositories.js';
export { GroupCommitAutomationRepository } from './group-commit.js';
