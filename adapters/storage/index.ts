/**
 * For people who write a storage: the rules that a storage applies (`planAdd`, keys of names, ends of keys), and parts
 * that storages share: caches and group commit around repositories, counts of blocks, the end of a storage.
 * @module automation-marketplace-storage
 */
export { cachedDevelopers, cachedKeys, cachedStorage } from './caches.js';
export type { CachingOptions } from './caches.js';
export { groupCommit } from './group-commit.js';
export { BLOCK_SIZE, BlockCounts } from './block-counts.js';
export type { BlockPosition } from './block-counts.js';
export { untilClosed } from './until-closed.js';

export { holderName, planAdd } from '../../domain/add-plan.js';
export type { AddContext, AddPlan, KeyHolder } from '../../domain/add-plan.js';
export { endOf, tooManyKeys } from '../../domain/api-key.js';
export { withdrawalEntries } from '../../domain/audit.js';
export { canAccept, isActiveOperator, signInKey, signInNameTaken } from '../../domain/developer.js';
export { notPrepared } from '../../domain/errors.js';
export { unknownAfter } from '../../domain/page.js';
export { developerIdKey, publicNameKeys, publicNamePart, publicNameTaken } from '../../domain/public-name.js';
export type { PublicNameKeys } from '../../domain/public-name.js';
export { searchFailure } from '../../domain/search-failure.js';
export type { SearchFailureCode } from '../../domain/search-failure.js';
export { matchesTerms, rankOf, titleTerms } from '../../domain/search-terms.js';
export { indexedText, WORD_RULE } from '../../domain/words.js';
export type { IndexedText } from '../../domain/words.js';
export { duplicateSession, MAX_SESSIONS } from '../../domain/session.js';
export { MAX_OPEN_REPORTS } from '../../domain/report.js';
export { recordFor } from '../../domain/store-record.js';
