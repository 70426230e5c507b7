import { randomUUID } from 'node:crypto';
import type { AppRequest, RegisteredApp } from '../../../application/developer-apps.js';
import { SCOPES } from '../../../application/index.js';
import { APP_KINDS, APP_NAME, type App } from '../../../domain/app.js';
import { OAUTH_METADATA_PATH } from '../../edge/middleware/base-path.js';
import type { ServerDescription } from '../../web/consents.js';
import { day } from '../../web/views/times.js';
import type { Wordings } from '../messages.js';
import { oauthOf } from '../oauth.js';
import { cursorPages, positionIn } from '../../web/pager.js';
import type { RequestOf, ShownForm } from '../request.js';
import { scopeChoices } from '../scopes.js';
import { makeSecret } from '../secrets.js';
import { TEXTS } from '../texts/texts.js';

const T = TEXTS.apps;
const NOTICES = { changed: T.changed, revoked: T.revoked };
const KINDS = APP_KINDS.map((value) => ({ value, ...T.kinds[value] }));
const PAGE_SIZE = 20;

const WORDINGS: Wordings = {
  name: { label: T.name, instead: { 'too-short': TEXTS.required(T.name) } },
  kind: { label: T.kind, instead: { 'unknown-value': T.kindRequired } },
  redirectUris: { label: T.redirectUris, instead: { required: T.redirectUrisRequired } },
  scopes: { label: T.scopes, instead: { 'unknown-value': TEXTS.keys.scopesRequired } },
};

type MemberRequest = RequestOf<'member'>;

/** Shows the apps that a person has registered, the latest first, and the form for another. */
async function showApps(request: MemberRequest): Promise<void> {
  const { panel, signedIn, query, isForm } = request;
  const position = positionIn(query);
  const page = await oauthOf(request).apps.list(signedIn.by, { limit: PAGE_SIZE, before: position.before });
  const pages = cursorPages(`${panel.at}/apps`, position, page);
  const notice = isForm ? undefined : request.notice(NOTICES);
  const form = { ...typedIn(request), kind: request.text('kind') };
  const choices = choicesOf(request);
  request.show('apps', { title: T.title, notice, apps: page.items.map(viewOf), pages, form, choices, ...newFormId() });
}

export const register: ShownForm<'member'> = {
  show: showApps,
  wordings: () => WORDINGS,
  submit: async (request) => {
    const asked = { ...requestIn(request), kind: request.text('kind') };
    await showSecret(request, TEXTS.newApp.title, () => oauthOf(request).apps.register(request.signedIn.by, asked));
  },
};

export const change: ShownForm<'member'> = {
  show: async (request) => {
    const app = await ownApp(request);
    const notice = request.isForm ? undefined : request.notice(NOTICES);
    const page = { title: app.name, notice, app: viewOf(app), hasSecret: app.secretHash !== undefined };
    request.show('app', { ...page, form: typedIn(request, app), choices: choicesOf(request) });
  },
  wordings: () => WORDINGS,
  submit: async (request) => {
    await oauthOf(request).apps.change(request.signedIn.by, request.param(), requestIn(request));
    request.goTo(`/apps/${request.param()}?notice=changed`);
  },
};

export const renewSecret: ShownForm<'member'> = {
  show: (request) => askAbout(request, 'renew-secret', TEXTS.renewSecret),
  submit: async (request) => {
    const { by } = request.signedIn;
    const renew = () => oauthOf(request).apps.renewSecret(by, request.param());
    await showSecret(request, TEXTS.newApp.renewedTitle, renew);
  },
};

export const revoke: ShownForm<'member'> = {
  show: (request) => askAbout(request, 'revoke-app', TEXTS.revokeApp),
  submit: async (request) => {
    await oauthOf(request).apps.revoke(request.signedIn.by, request.param());
    request.goTo('/apps?notice=revoked');
  },
};

/** Asks before something is done to an app. */
async function askAbout(request: MemberRequest, template: string, texts: { readonly title: string }): Promise<void> {
  const back = `${request.panel.at}/apps`;
  request.show(template, { ...texts, back, app: viewOf(await ownApp(request)), ...newFormId() });
}

function ownApp(request: MemberRequest): Promise<App> {
  return oauthOf(request).apps.read(request.signedIn.by, request.param());
}

/** Shows a new secret, as the response to its form. No other page shows a secret. */
async function showSecret(request: MemberRequest, title: string, make: () => Promise<RegisteredApp>): Promise<void> {
  const refusals = { alreadySent: T.alreadySent, tooMany: 'too-many-apps' } as const;
  const { app, secret } = await makeSecret(request, make, refusals);
  const server = oauthOf(request).consents.describe();
  const curl = app.kind === 'machine' ? curlLine(app.id, secret, server?.issuer) : undefined;
  const settings = server && settingsOf(server, app);
  request.show('new-app', { title, app: viewOf(app), secret, settings, curl });
}

/** Returns what the app needs to know of the server, by the ids of the fields. A library finds the rest. */
function settingsOf({ issuer, resource }: ServerDescription, { kind }: App) {
  const { origin, pathname } = new URL(issuer);
  const metadata = origin + OAUTH_METADATA_PATH + pathname;
  const { newApp } = TEXTS;
  return [
    { id: 'issuer', label: newApp.issuer, text: issuer },
    ...(kind === 'machine' ? [] : [{ id: 'metadata', label: newApp.metadata, text: metadata }]),
    { id: 'resource', label: newApp.resource, text: resource },
  ];
}

function curlLine(id: string, secret: string | undefined, issuer: string | undefined): string | undefined {
  return secret && issuer && `curl -u ${id}:${secret} -d grant_type=client_credentials ${issuer}/token`;
}

/** Returns what was typed; before that, what is stored. */
function typedIn(request: MemberRequest, app?: App) {
  return {
    name: request.text('name', app?.name),
    redirectUris: request.text('redirectUris', app?.redirectUris.join('\n')),
    scopes: request.isForm ? request.form.getAll('scopes') : (app?.scopes ?? SCOPES),
  };
}

function requestIn(request: MemberRequest): Omit<AppRequest, 'kind'> {
  const lines = request.text('redirectUris').split('\n');
  const redirectUris = lines.map((line) => line.trim()).filter((line) => line !== '');
  return { name: request.text('name'), redirectUris, scopes: request.form.getAll('scopes') };
}

function choicesOf(request: MemberRequest) {
  return { kinds: KINDS, scopes: scopeChoices(request), nameRule: APP_NAME };
}

/** The id makes a form take effect only once. */
function newFormId() {
  return { formId: randomUUID() };
}

export function viewOf({ id, name, kind, scopes, createdAt }: App) {
  return { id, name, isMachine: kind === 'machine', kind: T.kinds[kind].name, scopes, created: day(createdAt) };
}
