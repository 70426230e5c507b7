import type { Connection } from '../../../domain/connection.js';
import { day } from '../../http/views/times.js';
import { oauthOf } from '../oauth.js';
import { pagerLinks, positionIn } from '../pager.js';
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
  const page = await oauthOf(request).connections.list(signedIn.by, asked);
  const connections = await Promise.all(page.items.map((one) => viewOf(request, one)));
  const pages = pagerLinks(`${panel.at}/connected`, position, page);
  request.show('connected', { title: T.title, notice: request.notice(NOTICES), connections, pages });
}

/** Ends a connection, from a page that asks before. */
export const disconnect: ShownForm<'member'> = {
  show: async (request) => {
    const connection = await oauthOf(request).connections.read(request.signedIn.by, request.param());
    request.show('disconnect', { ...TEXTS.disconnect, connection: await viewOf(request, connection) });
  },
  submit: async (request) => {
    await oauthOf(request).connections.disconnect(request.signedIn.by, request.param());
    request.goTo('/connected?notice=disconnected');
  },
};

/** Returns a connection as pages show it. */
async function viewOf(request: MemberRequest, connection: Connection) {
  const { id, name, scopes, audience, connectedAt, expiresAt } = connection;
  return {
    id,
    name,
    source: await registrantOf(request, connection),
    may: hintsOf(scopes),
    audience: TEXTS.consent.audiences[audience],
    since: day(connectedAt),
    until: day(expiresAt),
  };
}

/** Of an app that was registered here, its developer may be suspended now. */
async function registrantOf(request: MemberRequest, { clientId }: Connection): Promise<string> {
  const isElsewhere = URL.canParse(clientId);
  const registeredBy = isElsewhere ? undefined : (await oauthOf(request).apps.findClient(clientId))?.developerId;
  if (!isElsewhere && registeredBy === undefined) return T.inactive;
  const { developer, host } = await sourceOf(request.panel, { clientId, registeredBy });
  return developer === undefined ? T.at(host) : T.registeredBy(developer);
}
