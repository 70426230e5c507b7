import { PROBLEMS, type ProblemSlug } from '../http/problems/catalogue.js';
import { Problem } from '../http/problems/problem.js';
import { TEXTS } from './texts.js';
import type { Context } from './visit.js';

interface ErrorText {
  readonly title: string;
  /** In place of the problem's detail, which is written for programs. */
  readonly advice?: string;
}

/** Returns what the error page of a problem says. */
export function errorText({ slug, status, detail }: Problem, ctx: Context, home: string): object {
  const texts: Partial<Record<ProblemSlug, ErrorText>> = TEXTS.errors;
  const { title, advice = detail } = texts[slug] ?? { title: PROBLEMS[slug].title };
  return { title, status, detail: advice, home, homeText: TEXTS.toPanel, requestId: ctx.state.requestId };
}
