import { CONDITION_ROWS } from './conditions.js';
import { CREDENTIALS_ROWS } from './credentials.js';
import { HEADER_ROWS } from './headers.js';
import { LIMIT_ROWS } from './limits.js';
import { MEDIA_TYPE_ROWS } from './media-types.js';
import { MEMBER_ROWS } from './members.js';
import { PATH_ROWS } from './paths.js';
import { QUERY_ROWS } from './queries.js';
import type { Row } from './row.js';
import { SEARCH_ROWS } from './searches.js';

/**
 * The wire contract, by theme: what any HTTP client can ask any server. The command `conformance`, the tests of the
 * service and those of its hosts run these rows.
 */
export const TABLE: Readonly<Record<string, readonly Row[]>> = {
  credentials: CREDENTIALS_ROWS,
  queries: QUERY_ROWS,
  searches: SEARCH_ROWS,
  'paths and methods': PATH_ROWS,
  'media types and encodings': MEDIA_TYPE_ROWS,
  headers: HEADER_ROWS,
  'members and texts': MEMBER_ROWS,
  'conditions and idempotency keys': CONDITION_ROWS,
  limits: LIMIT_ROWS,
};
