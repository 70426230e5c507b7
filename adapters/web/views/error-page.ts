import type { Context } from '../../edge/context.js';
import { preferredType } from '../../edge/middleware/negotiation.js';
import { REFUSED_UNREAD } from '../../edge/middleware/protocol-checks.js';
import { PROBLEMS } from '../../edge/problems/table.js';
import { Problem } from '../../edge/problems/problem.js';
import { ERROR_TEXTS } from './texts.js';
import type { Render } from './views.js';

/** Returns what makes the page of an error: what is wrong, and what to do. `way` is where its button leads. */
export function errorPage(render: Render, way: { readonly home?: string; readonly homeText?: string } = {}) {
  return ({ state }: Context, { slug, status, detail, options: { page } }: Problem): string => {
    const { title = PROBLEMS[slug].title, advice = detail } = page ?? ERROR_TEXTS[slug] ?? {};
    return render('/web/views/error', { title, status, detail: advice, requestId: state.requestId, ...way });
  };
}

type PageFor = (ctx: Context, problem: Problem) => string | undefined;

/** Returns the page for a browser, which prefers HTML; undefined for any other client, and where no header is read. */
export function forBrowsers(pageFor: PageFor): PageFor {
  return (ctx, problem) => {
    ctx.vary('Accept');
    if (REFUSED_UNREAD.has(problem.slug) && problem.options.page === undefined) return undefined;
    return preferredType(ctx, 'application/json', 'text/html') === 'text/html' ? pageFor(ctx, problem) : undefined;
  };
}

/** @throws Problem where no page is */
export function noSuchPage(): never {
  throw new Problem('not-found', 'The address may be wrong, or the page was removed.');
}
