/**
 * Checks any server against the contract of the API, from outside, as the command `conformance` does.
 * @module automation-marketplace-conformance
 */
export { checkServer } from './check-server.js';
export type { CheckServerNames, CheckServerOptions } from './check-server.js';
export type { Progress, Result } from './run.js';
