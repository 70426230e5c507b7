import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission.js';
import { hasBodyToCome } from './wire.js';

/** What it answers is waited for, if it is a promise. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Application {
  readonly answer: Listener;
  /** Answers who is not let in, at next to no cost. */
  readonly shed: Listener;
  /** Is told of who was gone before their turn, and after how many milliseconds that came. */
  readonly gone: (request: IncomingMessage, waited: number) => void;
}

/** Those in one line have their turns one after the other. */
type LinedListener = (line: string, request: IncomingMessage, response: ServerResponse) => void;

/** An application behind the admission: each request is answered when its turn comes, or shed. */
export function admitted(admission: Admission, { answer, shed, gone }: Application): LinedListener {
  return (line, request, response) => {
    const came = performance.now();
    const serve = async (): Promise<void> => {
      const goOn = hasBodyToCome(request) ? admission.untilSent(request) : undefined;
      try {
        if (response.destroyed) gone(request, performance.now() - came);
        else await answer(request, response);
      } finally {
        goOn?.();
        admission.leave();
      }
    };
    admission.enter(line, () => void serve(), () => void shed(request, response));
  };
}
