import { PROBLEMS, type ProblemSlug } from '../http/problems/catalogue.js';
import { Problem } from '../http/problems/problem.js';
import type { Context } from './visit.js';

interface ErrorText {
  readonly title: string;
  /** In place of the problem's detail, which is written for programs. */
  readonly advice?: string;
}

/** What the error pages of the panel say: what is wrong, and what to do. */
const TEXTS: Partial<Record<ProblemSlug, ErrorText>> = {
  'malformed-request': { title: 'The request was incomplete', advice: 'Go back, reload the page and try again.' },
  'cross-site-request': {
    title: 'This form cannot be accepted',
    advice: 'It was sent by another site, or its session has ended. Open the panel again and fill in the form there.',
  },
  'not-found': { title: 'Page not found' },
  'method-not-allowed': { title: 'This page does not accept this request', advice: 'Open it in a browser.' },
  conflict: { title: 'This is no longer possible' },
  'payload-too-large': {
    title: 'The text is too long',
    advice: 'A description has at most 10,000 characters. Go back and shorten the text.',
  },
  'unsupported-media-type': { title: 'This request is not a form', advice: 'The panel accepts only its own forms.' },
  'internal-error': {
    title: 'Something went wrong on our side',
    advice: 'Try again. If it happens again, tell the operator the request id below.',
  },
  unavailable: {
    title: 'The marketplace is unavailable',
    advice: 'Its storage does not respond at the moment. Nothing is lost. Try again in a few seconds.',
  },
  overloaded: { title: 'The marketplace is busy' },
  'outcome-unknown': {
    title: 'The marketplace is unavailable',
    advice: 'It is unknown whether this was done. Check before you try again.',
  },
};

/** Returns what the error page of a problem says. */
export function errorText({ slug, status, detail }: Problem, ctx: Context): object {
  const { title, advice = detail }: ErrorText = TEXTS[slug] ?? PROBLEMS[slug];
  return { title, status, advice, requestId: ctx.state.requestId };
}

/** Returns the error for a form that was not sent from a page of this session. */
export function crossSite(): Problem {
  return new Problem('cross-site-request', 'The form was not sent from a page of this session.');
}
