import { CONDITIONAL_ROWS } from './conditional-rows.js';
import { CREDENTIALS_ROWS } from './credentials-rows.js';
import { FIELD_ROWS } from './field-rows.js';
import { LIMIT_ROWS } from './limit-rows.js';
import { MEDIA_ROWS } from './media-rows.js';
import { PATH_ROWS } from './path-rows.js';
import { QUERY_ROWS } from './query-rows.js';
import { SEARCH_ROWS } from './search-rows.js';
import type { Row } from './row.js';
import { WIRE_ROWS } from './wire-rows.js';

/** Every hostile request, by theme. */
export const THEMES: Readonly<Record<string, readonly Row[]>> = {
  credentials: CREDENTIALS_ROWS,
  queries: QUERY_ROWS,
  searches: SEARCH_ROWS,
  'paths and methods': PATH_ROWS,
  'media types and encodings': MEDIA_ROWS,
  'members and texts': FIELD_ROWS,
  'conditions and idempotency keys': CONDITIONAL_ROWS,
  limits: LIMIT_ROWS,
  'raw wire': WIRE_ROWS,
};

export const ROWS = Object.values(THEMES).flat();
