import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Render } from '../http/views/views.js';
import type { ServerPages } from './provider.js';
import { TEXTS } from './texts.js';

const T = TEXTS.device;

/** Returns the pages of a server, with the templates of this folder. */
export function serverPages(render: Render): ServerPages {
  const show = (ctx: KoaContextWithOIDC, template: string, page: object) => {
    ctx.type = 'html';
    ctx.body = render(template, { texts: T, messages: {}, ...formOf(ctx), ...page });
  };
  return {
    askForCode: (ctx, error) => {
      const { userCode: code = codeInAddress(ctx) } = (error ?? {}) as { readonly userCode?: string };
      const problem = error && (T.problems[error.name] ?? T.otherProblem);
      show(ctx, 'device', { title: T.title, hasMistake: problem !== undefined, problem, code });
    },
    confirmCode: (ctx, app, code) => show(ctx, 'device-confirm', { title: T.confirmTitle, app, code }),
    deviceConnected: (ctx) => show(ctx, 'device-done', { title: T.doneTitle }),
    error: (ctx, { error, error_description: description }) =>
      show(ctx, 'refused', { title: TEXTS.errorTitle, lead: TEXTS.errorLead, error, description }),
  };
}

/** Returns the code that a program has put into the address which it shows. */
function codeInAddress({ req }: KoaContextWithOIDC): string {
  const { originalUrl = '' } = req as { readonly originalUrl?: string };
  return new URLSearchParams(originalUrl.split('?')[1]).get('user_code') ?? '';
}

/** Returns the address of the form for codes, and the value that proves that the form is of this browser. */
function formOf({ oidc }: KoaContextWithOIDC) {
  const { secret } = (oidc.session?.state ?? {}) as { readonly secret?: string };
  return { action: oidc.urlFor('code_verification'), xsrf: secret };
}
