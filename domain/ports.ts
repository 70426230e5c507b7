/**
 * The driven ports: what the core needs from the outside. Each sentence in their comments is a promise on which the
 * core relies, and the title of a test in the contract suite of its port (`test/contracts`), but for what needs a clock
 * or another process: that all pages cost the same, and that what is stored is durable. Every adapter passes the same
 * suite.
 *
 * For all ports:
 * - The core has checked the values. An adapter stores them unchanged, and the caller leaves them unchanged until the
 *   call has returned. Values that go in and come out are copies: changing them changes nothing in the store.
 * - Calls that overlap have the outcome of some order of them, and no call undoes the write of another.
 * - When the store cannot be reached, a call rejects with a `DomainError`: of kind `unavailable` when nothing was done,
 *   of kind `outcome-unknown` when a write was sent and no answer came. The message is the adapter's own.
 * - Every other failure passes unchanged.
 *
 * A host that keeps only the market in a storage of its own implements `AutomationRepository` and `CategoryRepository`.
 * `Storage` is all of them together, but for the verifier.
 */
export type * from './ports/automation-repository.js';
export type * from './ports/category-repository.js';
export type * from './ports/automation-archive.js';
export type * from './ports/catalogue-search.js';
export type * from './ports/audited.js';
export type * from './ports/api-key-repository.js';
export type * from './ports/api-key-verifier.js';
export type * from './ports/developer-repository.js';
export type * from './ports/session-repository.js';
export type * from './ports/audit-log.js';
export type * from './ports/oauth-records.js';
export type * from './ports/report-repository.js';
export type * from './ports/file-inspector.js';
export type * from './ports/cursor-query.js';
export type * from './ports/storage.js';
