/**
 * What storages share: caches and group commit around repositories, counts of blocks, a search that reads everything,
 * the end of a storage.
 * @module automation-marketplace/storage
 */
export { cachedDevelopers, cachedKeys } from './cached-lookups.js';
export type { CachingOptions } from './cached-lookups.js';
export { cachedStorage } from './cached-storage.js';
export { GroupCommitAutomationRepository } from './group-commit.js';
export { BLOCK_SIZE, BlockCounts } from './block-counts.js';
export type { BlockPosition } from './block-counts.js';
export { untilClosed } from './until-closed.js';
export { ScanningSearch } from './scanning-search.js';
