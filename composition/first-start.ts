import type { Container } from 'inversify';
import { starterCategories } from './starter-categories.js';
import { API_KEY_REPOSITORY, CATEGORY_REPOSITORY, DEVELOPER_KEYS } from './tokens.js';

/** Fills a store that has no key and no category, and answers its first key; undefined for any other store. */
export async function fillEmptyStore(container: Container): Promise<string | undefined> {
  const keys = container.get(API_KEY_REPOSITORY);
  const categories = container.get(CATEGORY_REPOSITORY);
  if ((await categories.list()).length > 0 || (await keys.list()).length > 0) return undefined;
  const added = await categories.save(starterCategories());
  if (added === 0) return undefined;
  return (await container.get(DEVELOPER_KEYS).issue({ developer: 'developer', name: 'First key' })).text;
}

/** For people; the only time that the key is told. */
export function welcome(key: string, url: string): string {
  return `
A new marketplace, with 16 categories and one developer, whose name is "developer".
This is the developer's API key. It is shown only now; keep it in a safe place:

  ${key}

Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/api/categories

`;
}
