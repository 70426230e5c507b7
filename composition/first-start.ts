import type { Container } from 'inversify';
import type { ApiKeyId } from '../domain/api-key.js';
import { starterCategories } from './starter-categories.js';
import { API_KEY_REPOSITORY, CATEGORY_REPOSITORY, DEVELOPER_ACCOUNTS, DEVELOPER_KEYS } from './tokens.js';

/** What a new marketplace tells once: a key's text, and with a panel the token of a welcome link. */
export interface FirstAccess {
  readonly key: string;
  readonly keyId: ApiKeyId;
  readonly token?: string;
}

const DEVELOPER = 'developer';

/** Fills a store that has no key and no category, and answers the ways in; undefined for any other store. */
export async function fillEmptyStore(container: Container, panel: boolean): Promise<FirstAccess | undefined> {
  const keys = container.get(API_KEY_REPOSITORY);
  const categories = container.get(CATEGORY_REPOSITORY);
  if ((await categories.list()).length > 0 || (await keys.list()).length > 0) return undefined;
  const added = await categories.save(starterCategories());
  if (added === 0) return undefined;
  const { text, key } = await container.get(DEVELOPER_KEYS).issue({ developer: DEVELOPER, name: 'First key' });
  const access = { key: text, keyId: key.id };
  if (!panel) return access;
  const { token } = await container.get(DEVELOPER_ACCOUNTS).invite(DEVELOPER);
  return { ...access, token };
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
A new marketplace, with 16 categories and one developer, whose name is "${DEVELOPER}".
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
