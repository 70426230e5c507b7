import { passes, type Row } from './row.js';

const CATEGORIES = '/api/categories';

/** Every answer has a legal request id (`answer.ts`), so one that repeats an illegal id is noticed. */
export const HEADER_ROWS: readonly Row[] = [
  ...['conformance-1', 'A'.repeat(64), '0'].map((id) =>
    passes(`the request id ${id.slice(0, 20)}, which comes back,`, 200, {
      target: CATEGORIES,
      headers: { 'X-Request-Id': id },
      answer: { 'X-Request-Id': id },
    }),
  ),
  ...['a'.repeat(65), 'a b', 'a_b', 'a.b', '\xe4', ''].map((id) =>
    passes(`the illegal request id "${id.slice(0, 20)}"`, 200, { target: CATEGORIES, headers: { 'X-Request-Id': id } }),
  ),
  passes('a read from another origin', 200, {
    target: CATEGORIES,
    headers: { Origin: 'https://elsewhere.example' },
    answer: { 'Access-Control-Allow-Origin': null, 'X-Powered-By': null },
  }),
  passes('a read', 200, {
    target: '/api/automations',
    answer: { 'Cache-Control': 'private, no-cache', Vary: 'Authorization', 'X-Content-Type-Options': 'nosniff' },
  }),
];
