import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission.js';
import { hasBodyToCome } from './wire.js';

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Application {
  readonly answer: Listener;
  /** Answers who is not let in, at next to no cost. */
  readonly shed: Listener;
  /** Is told of who was gone before their turn, and after how many milliseconds that came. */
  readonly gone: (request: IncomingMessage, waited: number) => void;
}

/** Those in one line have their turns one after the other. */
export type LinedListener = (line: string, request: IncomingMessage, response: ServerResponse) => void;

/** An application behind the admission: each request is answered when its turn comes, or shed. */
export function admitted(admission: Admission, { answer, shed, gone }: Application): LinedListener {
  const leave = () => admission.leave();
  return (line, request, response) => {
    const came = performance.now();
    const serve = () => {
      if (response.destroyed) {
        leave();
        gone(request, performance.now() - came);
        return;
      }
      response.on('close', leave);
      if (hasBodyToCome(request)) admission.untilSent(request, response);
      void answer(request, response);
    };
    admission.enter(line, serve, () => void shed(request, response));
  };
}
