import { noSuchPage } from '../web/views/error-page.js';
import type { OAuthParts } from './panel.js';
import type { Audience, RequestOf } from './request.js';

/** Returns what the pages about apps show. Where there is no authorization server, there is no such page. */
export function oauthOf({ panel }: RequestOf<Audience>): OAuthParts {
  return panel.oauth ?? noSuchPage();
}
