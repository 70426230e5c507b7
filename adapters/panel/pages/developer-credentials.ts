import { noSuchPage } from '../../web/views/error-page.js';
import { oauthOf } from '../oauth.js';
import type { RequestOf, ShownForm } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { viewOf as appView } from './apps.js';
import { developerIn, pathOf } from './developers.js';
import { liveKey, viewOf as keyView } from './keys.js';

type OperatorRequest = RequestOf<'operator'>;

/** Asks before a key of a developer is revoked. */
export const revokeKey: ShownForm<'operator'> = {
  show: async (request) => {
    const { panel } = request;
    const { developer, key } = await keyIn(request);
    const page = { title: TEXTS.revoke.title, lead: TEXTS.operator.revoke.lead(developer.id) };
    request.show('revoke', { ...page, back: `${panel.at}${pathOf(developer)}`, key: keyView(key, panel.now()) });
  },
  submit: async (request) => {
    const { developer, key } = await keyIn(request);
    await request.panel.keys.revoke(request.signedIn.by, key.id);
    request.goTo(`${pathOf(developer)}?notice=revoked`);
  },
};

/** Asks before an app of a developer is revoked. */
export const revokeApp: ShownForm<'operator'> = {
  show: async (request) => {
    const { developer, app } = await appIn(request);
    const page = { title: TEXTS.revokeApp.title, lead: TEXTS.operator.revokeApp.lead(developer.id) };
    request.show('revoke-app', { ...page, back: `${request.panel.at}${pathOf(developer)}`, app: appView(app) });
  },
  submit: async (request) => {
    const { developer, app } = await appIn(request);
    await oauthOf(request).apps.revoke(request.signedIn.by, app.id);
    request.goTo(`${pathOf(developer)}?notice=app-revoked`);
  },
};

/** @throws DomainError `not-found` for a key of another developer, or `conflict` if the key has ended */
async function keyIn(request: OperatorRequest) {
  const developer = await developerIn(request);
  const key = await liveKey(request, 'key');
  if (key.developerId !== developer.id) noSuchPage();
  return { developer, key };
}

/** @throws DomainError `not-found` for an app that ended; Problem `not-found` for one of another developer */
async function appIn(request: OperatorRequest) {
  const developer = await developerIn(request);
  const app = await oauthOf(request).apps.read(request.signedIn.by, request.param('app'));
  if (app.developerId !== developer.id) noSuchPage();
  return { developer, app };
}
