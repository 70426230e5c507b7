import Router from '@koa/router';
import type { RequestState } from '../http/context.js';
import { methodNotAllowed } from '../http/middleware/methods.js';
import { formFor, pageFor, type Answer } from './guard.js';
import * as account from './pages/account.js';
import { previewDraft } from './pages/automation-form.js';
import { showAutomation, showAutomations, showWithdrawal, withdraw } from './pages/automations.js';
import * as categories from './pages/categories.js';
import * as developers from './pages/developers.js';
import { showHistory } from './pages/history.js';
import * as keys from './pages/keys.js';
import { showOverview } from './pages/overview.js';
import { publish, showPublishing } from './pages/publish.js';
import { revise, showRevision } from './pages/revise.js';
import { acceptInvitation, showSignIn, showWelcome, signIn, signOut } from './pages/sign-in.js';
import type { Panel } from './panel.js';
import type { Audience, FormPage, Page } from './request.js';

/** A page or a form: for whom it is, and what responds to a request. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below `/panel`. */
  readonly path: string;
  readonly audience: Audience;
  readonly answer: Answer;
}

const OWN = '/automations/:id';
const ANY = '/operator/automations/:id';
const DEVELOPER = '/operator/developers/:id';
const CATEGORIES = '/operator/categories';

/** The pages and forms of accounts of ours. Where the host signs its users in, it also gives the roles. */
const OF_OUR_ACCOUNTS: readonly Route[] = [
  get('/sign-in', 'visitor', showSignIn),
  post('/sign-in', 'visitor', signIn),
  post('/sign-out', 'member', signOut),
  get('/welcome/:token', 'visitor', showWelcome),
  post('/welcome/:token', 'visitor', acceptInvitation),

  get('/account/sign-in-name', 'member', account.backToAccount),
  post('/account/sign-in-name', 'member', account.changeSignInName),
  get('/account/password', 'member', account.backToAccount),
  post('/account/password', 'member', account.changePassword),
  get('/account/sign-out-everywhere', 'member', account.backToAccount),
  post('/account/sign-out-everywhere', 'member', account.signOutEverywhere),
  get('/account/sessions/:id/end', 'member', account.backToAccount),
  post('/account/sessions/:id/end', 'member', account.endSession),

  post('/operator/developers', 'operator', developers.invite),
  get(`${DEVELOPER}/role`, 'operator', developers.backToDeveloper),
  post(`${DEVELOPER}/role`, 'operator', developers.changeRole),
];

const OF_EVERY_PANEL: readonly Route[] = [
  get('', 'member', showOverview),

  get('/keys', 'member', keys.showKeys),
  post('/keys', 'member', keys.createKey),
  get('/keys/:id/rename', 'member', keys.showRenaming),
  post('/keys/:id/rename', 'member', keys.renameKey),
  get('/keys/:id/rotate', 'member', keys.showRotation),
  post('/keys/:id/rotate', 'member', keys.rotateKey),
  get('/keys/:id/revoke', 'member', keys.showRevocation),
  post('/keys/:id/revoke', 'member', keys.revokeKey),

  get('/automations', 'seller', showAutomations),
  get('/automations/new', 'seller', showPublishing),
  post('/automations/new', 'seller', publish),
  post('/automations/preview', 'seller', previewDraft),
  get(OWN, 'seller', showAutomation),
  get(`${OWN}/revise`, 'seller', showRevision),
  post(`${OWN}/revise`, 'seller', revise),
  get(`${OWN}/withdraw`, 'seller', showWithdrawal),
  post(`${OWN}/withdraw`, 'seller', withdraw),
  get('/history', 'seller', showHistory),

  get('/account', 'member', account.showAccount),
  get('/account/profile', 'member', account.backToAccount),
  post('/account/profile', 'member', account.changeProfile),

  get('/operator/automations', 'operator', showAutomations),
  get(ANY, 'operator', showAutomation),
  get(`${ANY}/revise`, 'operator', showRevision),
  post(`${ANY}/revise`, 'operator', revise),
  get(`${ANY}/withdraw`, 'operator', showWithdrawal),
  post(`${ANY}/withdraw`, 'operator', withdraw),
  get('/operator/history', 'operator', showHistory),

  get('/operator/developers', 'operator', developers.showDevelopers),
  get(DEVELOPER, 'operator', developers.showDeveloper),
  get(`${DEVELOPER}/suspend`, 'operator', developers.showSuspension),
  post(`${DEVELOPER}/suspend`, 'operator', developers.suspend),
  get(`${DEVELOPER}/restore`, 'operator', developers.backToDeveloper),
  post(`${DEVELOPER}/restore`, 'operator', developers.restore),
  get(`${DEVELOPER}/keys/:key/revoke`, 'operator', developers.showKeyRevocation),
  post(`${DEVELOPER}/keys/:key/revoke`, 'operator', developers.revokeKeyOfDeveloper),

  get(CATEGORIES, 'operator', categories.showCategories),
  post(CATEGORIES, 'operator', categories.addCategory),
  get(`${CATEGORIES}/:id/rename`, 'operator', categories.showCategoryRenaming),
  post(`${CATEGORIES}/:id/rename`, 'operator', categories.renameCategory),
];

/** Every page and form of the panel. */
export const ROUTES: readonly Route[] = [...OF_EVERY_PANEL, ...OF_OUR_ACCOUNTS];

/** Returns the pages and forms that a panel has. */
export function routesOf({ host }: Pick<Panel, 'host'>): readonly Route[] {
  return host === undefined ? ROUTES : OF_EVERY_PANEL;
}

function get<Name extends Audience>(path: string, audience: Name, page: Page<Name>): Route {
  return { method: 'GET', path, audience, answer: pageFor(audience, page) };
}

function post<Name extends Audience>(path: string, audience: Name, form: FormPage<Name>): Route {
  return { method: 'POST', path, audience, answer: formFor(audience, form) };
}

/** Runs the answer of the path and the method. */
export function routing(routes: readonly Omit<Route, 'audience'>[], panel: Panel): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    const answers = new Map(ofPath.map(({ method, answer }) => [method as string, answer]));
    const allow = allowedMethods(answers);
    router.all(`/panel${path}`, async (ctx) => {
      ctx.state.route = `/panel${path}`;
      const answer = answers.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
      if (answer === undefined) methodNotAllowed(ctx, allow);
      else await answer(ctx, panel);
    });
  }
  return router;
}

function allowedMethods(answers: ReadonlyMap<string, Answer>): string {
  const reads = answers.has('GET') ? ['GET', 'HEAD'] : [];
  return [...reads, 'OPTIONS', ...(answers.has('POST') ? ['POST'] : [])].join(', ');
}
