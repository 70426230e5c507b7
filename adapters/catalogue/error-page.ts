import { PROBLEMS } from '../http/problems/catalogue.js';
import type { Problem } from '../http/problems/problem.js';
import type { Context } from '../http/context.js';
import type { CatalogueApp } from './options.js';
import { ERRORS } from './texts.js';

/** Returns what makes the page of an error: what is wrong, and what to do. */
export function errorPage({ render }: Pick<CatalogueApp, 'render'>): (ctx: Context, problem: Problem) => string {
  return (ctx, { slug, status, detail }) => {
    const { title = PROBLEMS[slug].title, advice = detail } = ERRORS[slug] ?? {};
    const texts = { title, detail: advice };
    return render('/http/views/error', { ...texts, status, requestId: ctx.state.requestId });
  };
}
