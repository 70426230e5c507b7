import type { Context } from '../context.js';
import { PROBLEMS } from '../problems/catalogue.js';
import { Problem } from '../problems/problem.js';
import { ERROR_TEXTS } from './texts.js';
import type { Render } from './views.js';

/** Returns what makes the page of an error: what is wrong, and what to do. `way` is where its button leads. */
export function errorPage(render: Render, way: { readonly home?: string; readonly homeText?: string } = {}) {
  return ({ state }: Context, { slug, status, detail }: Problem): string => {
    const { title = PROBLEMS[slug].title, advice = detail } = ERROR_TEXTS[slug] ?? {};
    return render('/http/views/error', { title, status, detail: advice, requestId: state.requestId, ...way });
  };
}

/** @throws Problem where no page is */
export function noSuchPage(): never {
  throw new Problem('not-found', 'The address may be wrong, or the page was removed.');
}
