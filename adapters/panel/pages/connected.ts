import type { ConnectedApp } from '../../../domain/connection.js';
import { SCOPES } from '../../../domain/scope.js';
import { day, fromNow } from '../../web/views/times.js';
import { oauthOf } from '../oauth.js';
import { cursorPages, positionIn } from '../../web/pager.js';
import type { RequestOf, ShownForm } from '../request.js';
import { hintsOf } from '../scopes.js';
import { TEXTS } from '../texts/texts.js';
import { sourceOf } from './consent.js';

const T = TEXTS.connected;
const NOTICES = { disconnected: T.disconnected };
const PAGE_SIZE = 20;

type MemberRequest = RequestOf<'member'>;

/** Shows the apps that act for a person with their consent, the latest first. */
export async function showConnected(request: MemberRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const position = positionIn(query);
  const asked = { limit: PAGE_SIZE, before: position.before };
  const page = await oauthOf(request).connections.listApps(signedIn.by, asked);
  const apps = await Promise.all(page.items.map((one) => viewOf(request, one)));
  const pages = cursorPages(`${panel.at}/connected`, position, page);
  request.show('connected', { title: T.title, notice: request.notice(NOTICES), apps, pages });
}

/** Ends all connections of an app, from a page that asks before. */
export const disconnect: ShownForm<'member'> = {
  show: async (request) => {
    const app = await oauthOf(request).connections.readApp(request.signedIn.by, request.param());
    request.show('disconnect', { ...TEXTS.disconnect, app: await viewOf(request, app) });
  },
  submit: async (request) => {
    await oauthOf(request).connections.disconnectApp(request.signedIn.by, request.param());
    request.goTo('/connected?notice=disconnected');
  },
};

/** Returns an app as pages show it: by the name of its latest connection, with what it may do through any of them. */
async function viewOf(request: MemberRequest, app: ConnectedApp) {
  const { id, connections, lastUsedAt } = app;
  const now = request.panel.now();
  const times = connections.map(({ connectedAt }) => connectedAt.getTime());
  const audiences = Array.from(new Set(connections.map(({ audience }) => TEXTS.consent.audiences[audience])));
  return {
    id,
    name: connections[0]?.name,
    source: await registrantOf(request, app),
    may: hintsOf(SCOPES.filter((scope) => connections.some(({ scopes }) => scopes.includes(scope)))),
    audience: audiences.join(', '),
    connected: T.times(connections.length),
    since: day(new Date(Math.min(...times))),
    lastUsed: lastUsedAt && fromNow(lastUsedAt, now),
    until: day(new Date(Math.max(...connections.map(({ expiresAt }) => expiresAt.getTime())))),
  };
}

/** Of an app that was registered here, its developer may be suspended now. */
async function registrantOf(request: MemberRequest, { clientId }: ConnectedApp): Promise<string> {
  const isElsewhere = URL.canParse(clientId);
  const registeredBy = isElsewhere ? undefined : (await oauthOf(request).apps.findClient(clientId))?.developerId;
  if (!isElsewhere && registeredBy === undefined) return T.inactive;
  const { developer, host } = await sourceOf(request.panel, { clientId, registeredBy });
  return developer === undefined ? T.at(host) : T.registeredBy(developer);
}
