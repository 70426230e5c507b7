import { HTML_TYPE, send } from '../http/send.js';
import { visitorOf } from '../http/views/navigation.js';
import type { SECTION_TEXTS } from '../http/views/texts.js';
import type { Messages } from './messages.js';
import type { Context, Panel, SignedInDeveloper } from './visit.js';

export interface Page {
  readonly title: string;
  /** Undefined on pages for visitors who are not signed in. */
  readonly signedIn?: SignedInDeveloper;
  /** The entry of the navigation that is marked. */
  readonly current?: keyof typeof SECTION_TEXTS;
  /** What was just done. */
  readonly notice?: string | undefined;
  /** What is wrong with the form on the page, by field. */
  readonly messages?: Messages;
}

type PageData = Page & Readonly<Record<string, unknown>>;

/** Responds with a page. By default the status is 422 if its form is wrong (RFC 9110, section 15.5.21), else 200. */
export function show(ctx: Context, panel: Panel, template: string, page: PageData, status?: number): void {
  const { messages = {}, notice = '', signedIn } = page;
  const isWrong = Object.keys(messages).length > 0;
  const visitor = signedIn && visitorOf(panel.base, signedIn);
  const frame = visitor ? 'app' : 'gate';
  const data = { ...page, messages, notice, visitor, frame, hasMistake: isWrong || Boolean(page['problem']) };
  send(ctx, HTML_TYPE, panel.render(template, data), status ?? (isWrong ? 422 : 200));
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
