import type { Route } from '../edge/middleware/routing.js';
import { formFor, pageFor, type Answer } from './guard.js';
import * as account from './pages/account.js';
import { previewDraft } from './pages/automation-form.js';
import { showAutomation, showAutomations, withdraw } from './pages/automations.js';
import { addCategory, removeCategory, renameCategory } from './pages/categories.js';
import * as apps from './pages/apps.js';
import { disconnect, showConnected } from './pages/connected.js';
import { decide } from './pages/consent.js';
import * as credentials from './pages/developer-credentials.js';
import * as developers from './pages/developers.js';
import { showHistory } from './pages/history.js';
import { createKey, renameKey, revokeKey, rotateKey } from './pages/keys.js';
import { showOverview } from './pages/overview.js';
import { finishSignIn, startSignIn } from './pages/organisation.js';
import { publish } from './pages/publish.js';
import * as reports from './pages/reports.js';
import { revise } from './pages/revise.js';
import { acceptInvitation, signIn, signOut } from './pages/sign-in.js';
import type { Panel } from './panel.js';
import type { Audience, FormPage, Page, ShownForm } from './request.js';

/** A page or a form, by its path below `/panel`: for whom it is, and what responds to a request. */
export interface PanelRoute extends Omit<Route, 'answer'> {
  readonly audience: Audience;
  readonly answer: Answer;
}

const OWN = '/automations/:id';
const ANY = '/operator/automations/:id';
const DEVELOPER = '/operator/developers/:id';
const REPORTED = '/operator/reports/:id';

/** The pages and forms of accounts of the marketplace. Where the host signs its users in, it also gives the roles. */
const OF_OUR_ACCOUNTS: readonly PanelRoute[] = [
  ...form('/sign-in', 'visitor', signIn),
  post('/sign-out', 'member', signOut),
  ...form('/welcome/:token', 'visitor', acceptInvitation),

  ...below('/account', account.backToAccount, 'member', {
    'sign-in-name': account.changeSignInName,
    password: account.changePassword,
    'sign-out-everywhere': account.signOutEverywhere,
    'sessions/:id/end': account.endSession,
  }),

  post('/operator/developers', 'operator', developers.invite),
  ...below(DEVELOPER, developers.backToDeveloper, 'operator', {
    role: developers.changeRole,
    name: developers.changeName,
  }),
];

/** The way to an issuer and back. */
const OF_ISSUER: readonly PanelRoute[] = [
  get('/sign-in/organisation', 'visitor', startSignIn),
  get('/signed-in', 'visitor', finishSignIn),
];

const OF_EVERY_PANEL: readonly PanelRoute[] = [
  get('', 'member', showOverview),

  ...form('/keys', 'member', createKey),
  ...form('/keys/:id/rename', 'member', renameKey),
  ...form('/keys/:id/rotate', 'member', rotateKey),
  ...form('/keys/:id/revoke', 'member', revokeKey),

  get('/automations', 'seller', showAutomations),
  ...form('/automations/new', 'seller', publish),
  post('/automations/preview', 'seller', previewDraft),
  get(OWN, 'seller', showAutomation),
  ...form(`${OWN}/revise`, 'seller', revise),
  ...form(`${OWN}/withdraw`, 'seller', withdraw),
  get('/history', 'seller', showHistory),

  get('/account', 'member', account.showAccount),
  ...below('/account', account.backToAccount, 'member', { profile: account.changeProfile }),

  get('/operator/automations', 'operator', showAutomations),
  get(ANY, 'operator', showAutomation),
  ...form(`${ANY}/revise`, 'operator', revise),
  ...form(`${ANY}/withdraw`, 'operator', withdraw),
  get('/operator/history', 'operator', showHistory),

  get('/operator/developers', 'operator', developers.showDevelopers),
  get(DEVELOPER, 'operator', developers.showDeveloper),
  ...form(`${DEVELOPER}/suspend`, 'operator', developers.suspend),
  ...below(DEVELOPER, developers.backToDeveloper, 'operator', { restore: developers.restore }),
  ...form(`${DEVELOPER}/keys/:key/revoke`, 'operator', credentials.revokeKey),

  ...form('/operator/categories', 'operator', addCategory),
  ...form('/operator/categories/:id/rename', 'operator', renameCategory),
  ...form('/operator/categories/:id/remove', 'operator', removeCategory),
];

/** The pages and forms about reports, on a storage that has them. */
const OF_REPORTS: readonly PanelRoute[] = [
  get('/operator/reports', 'operator', reports.showReports),
  get(REPORTED, 'operator', reports.showReported),
  ...below(REPORTED, reports.backToReported, 'operator', {
    dismiss: reports.dismissReports,
    withdraw: reports.upholdReports,
  }),
];

/** The pages and forms about apps, next to an authorization server. */
const OF_APPS: readonly PanelRoute[] = [
  ...form('/consent/:id', 'member', decide),

  ...form('/apps', 'member', apps.register),
  ...form('/apps/:id', 'member', apps.change),
  ...form('/apps/:id/secret', 'member', apps.renewSecret),
  ...form('/apps/:id/revoke', 'member', apps.revoke),

  ...form(`${DEVELOPER}/apps/:app/revoke`, 'operator', credentials.revokeApp),

  get('/connected', 'member', showConnected),
  ...form('/connected/:id/disconnect', 'member', disconnect),
];

/** Every page and form of the panel. */
export const ROUTES: readonly PanelRoute[] = [
  ...[...OF_EVERY_PANEL, ...OF_OUR_ACCOUNTS, ...OF_ISSUER, ...OF_APPS, ...OF_REPORTS],
];

/** Returns the pages and forms that a panel has, by their path. */
export function routesOf(panel: Panel): readonly Route[] {
  const { host, oauth, signIn, reports: ofReports } = panel;
  const absent = [
    ...(host === undefined ? [] : OF_OUR_ACCOUNTS),
    ...(signIn === undefined ? OF_ISSUER : []),
    ...(oauth === undefined ? OF_APPS : []),
    ...(ofReports === undefined ? OF_REPORTS : []),
  ];
  return ROUTES.filter((route) => !absent.includes(route)).map(({ method, path, answer }) => ({
    method,
    path: `/panel${path}`,
    answer: (ctx) => answer(ctx, panel),
  }));
}

function get<Name extends Audience>(path: string, audience: Name, page: Page<Name>): PanelRoute {
  return { method: 'GET', path, audience, answer: pageFor(audience, page) };
}

function post<Name extends Audience>(path: string, audience: Name, page: FormPage<Name>): PanelRoute {
  return { method: 'POST', path, audience, answer: formFor(audience, page) };
}

/** Returns the routes of a form with an address of its own. */
function form<Name extends Audience>(path: string, audience: Name, page: ShownForm<Name>): readonly PanelRoute[] {
  return [get(path, audience, page.show), post(path, audience, page)];
}

/** Returns the routes of forms on one page. A form with a mistake is shown at its address, and a reload leads back. */
function below<Name extends Audience>(
  path: string,
  back: Page<Name>,
  audience: Name,
  forms: Readonly<Record<string, FormPage<Name>>>,
): readonly PanelRoute[] {
  return Object.entries(forms).flatMap(([name, page]) => [
    get(`${path}/${name}`, audience, back),
    post(`${path}/${name}`, audience, page),
  ]);
}
