import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Render } from '../web/views/views.js';
import { agentOf } from './clients.js';
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
    error: (ctx, out) => show(ctx, 'refused', refusalIn(ctx, out)),
  };
}

/** Returns what a person reads who cannot be led back: what is wrong, and what they can do. */
function refusalIn(ctx: KoaContextWithOIDC, out: ErrorOut) {
  const { error, error_description: description } = out;
  const [agent, address] = [agentOf(ctx), wayBack(ctx, out)];
  if (address !== undefined) {
    const { host, protocol } = new URL(address);
    const back = { address, label: TEXTS.goBack(host || protocol.slice(0, -1)) };
    return { title: TEXTS.refusedTitle, lead: TEXTS.refusedLead, back };
  }
  const isUnknown = agent !== undefined && ctx.oidc.client === undefined;
  const lead = isUnknown ? TEXTS.unknownAgent(new URL(agent).host) : TEXTS.errorLead;
  return { title: TEXTS.errorTitle, lead, error, description };
}

/** Returns where the agent waits for a refusal, which a person may follow; undefined for every other error. */
function wayBack({ oidc }: KoaContextWithOIDC, out: ErrorOut): string | undefined {
  const address = oidc.params?.['redirect_uri'];
  if (oidc.route !== 'resume' || out.error !== 'access_denied' || typeof address !== 'string') return undefined;
  const url = new URL(address);
  for (const [name, value] of Object.entries({ ...out })) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
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
