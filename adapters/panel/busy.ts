import { HEADERS } from './answers.js';
import { hasLargeBodyUnread } from './form.js';
import { BUSY } from './refusal.js';
import type { Listener, Panel } from './visit.js';

const ADVICE = 'More came at once than it can answer. Nothing was done. Go back and try again in a few seconds.';
const STATUS = 503;
const RETRY_AFTER_SECONDS = '1';
const PLACE = '{request id}';

/** Answers one for whom there is no time: this must cost next to nothing, so that the page is made once. */
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
      ...(hasLargeBodyUnread(request) && { Connection: 'close' }),
    });
    response.end(body);
    onShed({ requestId, method: request.method ?? '', route: '', status: STATUS, duration: 0, aborted: false });
  };
}
