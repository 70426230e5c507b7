import { HEADERS } from './answers.js';
import { hasUnreadLargeBody } from './form.js';
import { BUSY } from './page-error.js';
import type { Listener, Panel } from './visit.js';

const ADVICE = 'It has more requests than it can handle. Nothing was changed. Go back and try again in a few seconds.';
const STATUS = 503;
const RETRY_AFTER_SECONDS = '1';
const PLACE = '{request id}';

/** Responds that the service is busy. Renders the page once, since this must cost next to nothing. */
export function busyPages({ render, requestIdOf, onShed }: Panel): Listener {
  const page = render('error', { title: BUSY, status: STATUS, advice: ADVICE, requestId: PLACE });
  return (request, response) => {
    const requestId = requestIdOf(request);
    const body = page.replace(PLACE, () => requestId);
    response.writeHead(STATUS, {
      ...HEADERS,
      'X-Request-Id': requestId,
      'Retry-After': RETRY_AFTER_SECONDS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...(hasUnreadLargeBody(request) && { Connection: 'close' }),
    });
    response.end(body);
    onShed({ requestId, method: request.method ?? '', route: '', status: STATUS, duration: 0, aborted: false });
  };
}
