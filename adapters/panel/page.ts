import { HTML_TYPE, send } from '../http/send.js';
import type { Messages } from './messages.js';
import type { Context, Panel, SignedInDeveloper } from './visit.js';

/** A page that the navigation links to. */
type Section = 'keys' | 'automations' | 'history';

export interface Page {
  readonly title: string;
  /** Undefined on pages for visitors who are not signed in. */
  readonly signedIn?: SignedInDeveloper;
  readonly section?: Section;
  /** What was just done. */
  readonly notice?: string | undefined;
  /** What is wrong with the form on the page, by field. */
  readonly messages?: Messages;
}

type PageData = Page & Readonly<Record<string, unknown>>;

/** Responds with a page. By default the status is 422 if its form is wrong (RFC 9110, section 15.5.21), else 200. */
export function show(ctx: Context, { render }: Panel, template: string, page: PageData, status?: number): void {
  const messages = page.messages ?? {};
  const isWrong = Object.keys(messages).length > 0;
  const data = { ...page, messages, notice: page.notice ?? '', signedIn: page.signedIn };
  send(ctx, HTML_TYPE, render(template, data), status ?? (isWrong ? 422 : 200));
}

/** Redirects after a form, to a page that is safe to reload. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
}

/** Returns the text of the notice that the address names; undefined if it is not one of these. */
export function noticeIn(ctx: Context, notices: Readonly<Record<string, string>>): string | undefined {
  const name = queryOf(ctx).get('notice') ?? '';
  return Object.hasOwn(notices, name) ? notices[name] : undefined;
}

export function queryOf(ctx: Context): URLSearchParams {
  return new URLSearchParams(ctx.querystring);
}
