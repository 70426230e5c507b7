import { html } from './answers.js';
import type { Messages } from './messages.js';
import type { Context, Member, Panel } from './visit.js';

/** One of the pages that the navigation leads to. */
type Section = 'keys' | 'automations' | 'history';

export interface Page {
  readonly title: string;
  /** Without it, the page is for somebody who is not signed in. */
  readonly member?: Member;
  readonly section?: Section;
  /** What has just been done. */
  readonly notice?: string | undefined;
  /** What is wrong with the form on the page, by field. */
  readonly messages?: Messages;
}

/** Answers with a page; one whose form is wrong is answered as 422 (RFC 9110, section 15.5.21) unless told otherwise. */
export function show(ctx: Context, { render }: Panel, template: string, page: Page & Readonly<Record<string, unknown>>, status?: number): void {
  const messages = page.messages ?? {};
  const isWrong = Object.keys(messages).length > 0;
  html(ctx, render(template, { ...page, messages, notice: page.notice ?? '', member: page.member }), status ?? (isWrong ? 422 : 200));
}

/** The text of the notice that the address names; whoever wrote the address, it is one of ours. */
export function noticeIn(ctx: Context, notices: Readonly<Record<string, string>>): string | undefined {
  const name = queryOf(ctx).get('notice') ?? '';
  return Object.hasOwn(notices, name) ? notices[name] : undefined;
}

export function queryOf(ctx: Context): URLSearchParams {
  return new URLSearchParams(ctx.querystring);
}
