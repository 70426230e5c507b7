/**
 * Inspects the files of automations: what they are, what they do, and what should not leave a company.
 * @module automation-marketplace-file-inspection
 */
export { describeFile, drawFile, TableFileInspector } from './inspector.js';
export type { OwnWords } from './platform.js';
