import type { Container } from 'inversify';
import { FIRST_DEVELOPER as DEVELOPER, Maintenance, type FirstAccess } from '../application/maintenance.js';
import { starterCategories } from './starter-categories.js';
import {
  API_KEY_REPOSITORY,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  SESSION_REPOSITORY,
} from './tokens.js';

/** Adds categories if the store has none. Returns the first key and sign-in link if it has neither key nor account. */
export async function fillEmptyStore(container: Container, panel: boolean): Promise<FirstAccess | undefined> {
  const repositories = {
    automations: container.get(AUTOMATION_REPOSITORY),
    categories: container.get(CATEGORY_REPOSITORY),
    keys: container.get(API_KEY_REPOSITORY),
    sessions: container.get(SESSION_REPOSITORY),
  };
  const maintenance = new Maintenance(repositories, container.get(DEVELOPER_KEYS), container.get(DEVELOPER_ACCOUNTS));
  await maintenance.addFirstCategories(starterCategories());
  return maintenance.firstAccess(panel);
}

/** Has the key that nobody could read open nothing. The next start makes no other, so it throws: an Error that says how to get one. */
export async function takeBack(container: Container, { keyId, token }: FirstAccess): Promise<never> {
  await container.get(DEVELOPER_KEYS).revoke(keyId);
  const mended = [`keys issue --developer ${DEVELOPER}`, ...(token === undefined ? [] : [`developers invite ${DEVELOPER}`])].join(' and ');
  throw new Error(`The first key could not be shown, since nobody reads standard output or it cannot be written; it is revoked. Run ${mended}, then start again.`);
}

/** For people; the only time that key and link are told. */
export function welcome(key: string, url: string, link?: string): string {
  return `
A new marketplace, with one developer, whose name is "${DEVELOPER}".
This is the developer's API key. It is shown only now; keep it in a safe place:

  ${key}
${link === undefined ? '' : wayIn(link)}
Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/api/categories

`;
}

function wayIn(link: string): string {
  return `
This is the developer's way into the panel, good once and for 24 hours:

  ${link}
`;
}
