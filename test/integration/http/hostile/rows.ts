import { TABLE } from '../../../../adapters/conformance/rows/table.js';
import { LIMIT_ROWS } from './limit-rows.js';
import type { WireRow } from './row.js';
import { WIRE_ROWS } from './wire-rows.js';

/** The wire contract, and what only our own server promises. */
export const ROWS: readonly WireRow[] = [...Object.values(TABLE).flat(), ...LIMIT_ROWS, ...WIRE_ROWS];
