import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission.js';
import { hasBodyToCome } from './wire.js';

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Application {
  /** Those who show the same have their turns as one. */
  readonly credentialOf: (request: IncomingMessage) => string;
  readonly answer: Listener;
  /** Answers who is not let in, at next to no cost. */
  readonly shed: Listener;
}

/** An application behind the admission: each request is answered when its turn comes, or shed. */
export function admitted(admission: Admission, { credentialOf, answer, shed }: Application): Listener {
  const isOver = () => admission.isOver();
  return (request, response) => {
    const serve = () => {
      if (response.destroyed) {
        isOver();
        return;
      }
      response.on('close', isOver);
      if (hasBodyToCome(request)) admission.untilSent(request, response);
      void answer(request, response);
    };
    admission.enter(credentialOf(request), serve, () => void shed(request, response));
  };
}
