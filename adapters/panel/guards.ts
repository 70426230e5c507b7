import { seeOther } from './answers.js';
import { refuseCrossSite } from './cross-site.js';
import { readForm, textOf, type Form } from './form.js';
import { Refusal } from './refusal.js';
import { isSame, memberOf, sessionToken } from './session.js';
import type { Context, Handler, Member, Panel } from './visit.js';

/** A page for those who are signed in; others are sent to sign in. */
export function forMembers(panel: Panel, show: (ctx: Context, member: Member) => Promise<void>): Handler {
  return async (ctx) => {
    const member = await memberOf(ctx, panel);
    if (member === undefined) toSignIn(ctx, panel);
    else await show(ctx, member);
  };
}

/** What a form of the panel does, when it comes from a page that this developer got in this session. */
export function formOfMembers(panel: Panel, act: (ctx: Context, member: Member, form: Form) => Promise<void>): Handler {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    const member = await memberOf(ctx, panel);
    if (member === undefined) {
      toSignIn(ctx, panel);
      return;
    }
    const form = await readForm(ctx);
    if (!isSame(textOf(form, 'token'), member.formToken)) throw new Refusal(403);
    await act(ctx, member, form);
  };
}

/** What a form does that somebody fills in who is not signed in. */
export function formOfStrangers(panel: Panel, act: (ctx: Context, form: Form) => Promise<void>): Handler {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    await act(ctx, await readForm(ctx));
  };
}

function toSignIn(ctx: Context, panel: Panel): void {
  seeOther(ctx, `${panel.at}/sign-in${sessionToken(ctx, panel) === undefined ? '' : '?notice=ended'}`);
}
