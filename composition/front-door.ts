import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../adapters/http/admission.js';
import { admitted, type Listener } from '../adapters/http/admitted.js';
import type { Answered } from '../adapters/http/index.js';
import { PROBLEMS } from '../adapters/http/problems.js';
import { shedding } from '../adapters/http/shed.js';
import { SlowLane } from '../adapters/http/slow-lane.js';
import { isUnder, isUnderBase, isVital } from '../adapters/http/target.js';
import { isWellFormed } from '../adapters/http/wire.js';
import type { DeveloperPanel } from '../adapters/panel/index.js';

export interface Applications {
  readonly api: Listener;
  /** What stands outside the bases of the API. */
  readonly operational: Listener;
  readonly panel?: DeveloperPanel | undefined;
  readonly onShed: (answered: Answered) => void;
}

const QUOTA_EXCEEDED = PROBLEMS['quota-exceeded'].status;

/** Who is answered by which application, and in which line they wait for it. */
export function frontDoor(admission: Admission, { api, operational, panel, onShed }: Applications): Listener {
  const shed = shedding('', onShed);
  const enterApi = patiently(admission, api, shed);
  const enterPages = admitted(admission, { credentialOf: () => 'pages', answer: operational, shed });
  const enterPanel = panel && admitted(admission, { credentialOf: visitorOf, answer: panel.answer, shed: panel.busy });
  return (request, response) => {
    const target = request.url ?? '';
    if (isUnderBase(target)) return enterApi(request, response);
    if (isVital(target)) return operational(request, response);
    if (enterPanel && isUnder('/panel', target) && isWellFormed(request)) return enterPanel(request, response);
    return enterPages(request, response);
  };
}

/** With another line in front for those who are over their quota. */
function patiently(admission: Admission, api: Listener, shed: Listener): Listener {
  const slowLane = new SlowLane();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await api(request, response);
    if (response.statusCode === QUOTA_EXCEEDED) slowLane.noteOver(keyOf(request));
  };
  const enter = admitted(admission, { credentialOf: keyOf, answer, shed });
  return (request, response) => slowLane.enter(keyOf(request), () => void enter(request, response));
}

function keyOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? '';
}

/** Of the panel: those without a session are one. */
function visitorOf({ headers }: IncomingMessage): string {
  return `panel ${headers.cookie ?? ''}`;
}
