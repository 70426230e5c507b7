import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../adapters/http/admission.js';
import { admitted, type Application, type Listener } from '../adapters/http/admitted.js';
import { bearerOf } from '../adapters/http/credentials.js';
import type { Answered } from '../adapters/http/index.js';
import type { Lines } from '../adapters/http/lines.js';
import { PROBLEMS } from '../adapters/http/problems.js';
import { abandoned, shedding } from '../adapters/http/shed.js';
import { SlowLane } from '../adapters/http/slow-lane.js';
import { isUnder, isUnderBase, isVital } from '../adapters/http/target.js';
import { isWellFormed } from '../adapters/http/wire.js';
import type { DeveloperPanel } from '../adapters/panel/index.js';

export interface Applications {
  readonly lines: Lines;
  readonly api: Listener;
  /** What stands outside the bases of the API. */
  readonly operational: Listener;
  readonly panel?: DeveloperPanel | undefined;
  readonly onShed: (answered: Answered) => void;
  readonly onAnswer: (answered: Answered) => void;
}

const QUOTA_EXCEEDED = PROBLEMS['quota-exceeded'].status;

/** Who is answered by which application, and in which line they wait for it. */
export function frontDoor(admission: Admission, { lines, api, operational, panel, onShed, onAnswer }: Applications): Listener {
  const shed = shedding('', onShed);
  const gone = abandoned(onAnswer);
  const enterApi = patiently(admission, lines, { answer: api, shed, gone });
  const enterPages = admitted(admission, { answer: operational, shed, gone });
  const enterPanel = panel && admitted(admission, { answer: panel.answer, shed: panel.busy, gone });
  return (request, response) => {
    const target = request.url ?? '';
    if (isUnderBase(target)) enterApi(request, response);
    else if (isVital(target)) operational(request, response);
    else if (enterPanel && isUnder('/panel', target) && isWellFormed(request)) enterPanel(`panel ${lines.of(request, request.headers.cookie ?? '')}`, request, response);
    else enterPages('pages', request, response);
  };
}

/** With another lane in front for those who are over a quota; one of creates keeps nobody from reading. */
function patiently(admission: Admission, lines: Lines, api: Application): Listener {
  const slowLane = new SlowLane();
  const lineOf = (request: IncomingMessage) => lines.of(request, shownBy(request));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await api.answer(request, response);
    if (response.statusCode === QUOTA_EXCEEDED) slowLane.noteOver(laneOf(lineOf(request), request));
    else if (response.statusCode < 400) lines.note(shownBy(request), () => bearerOf({ req: request }) ?? '');
  };
  const enter = admitted(admission, { ...api, answer });
  return (request, response) => {
    const line = lineOf(request);
    slowLane.enter(laneOf(line, request), () => enter(line, request, response));
  };
}

function shownBy({ headers }: IncomingMessage): string {
  return headers.authorization ?? '';
}

function laneOf(line: string, { method }: IncomingMessage): string {
  return method === 'POST' ? `${line} POST` : line;
}
