import { writeAndConfirm } from '../../adapters/cli/index.js';
import type { UseCases } from '../../application/core.js';
import { FIRST_KEY_DAYS, type FirstAccess } from '../../application/maintenance.js';
import { OPERATOR } from '../../domain/access.js';
import { welcomeUrl } from './links.js';

/**
 * Prints the first key and link for people, the only time that they are shown.
 * @throws Error when they could not be shown: then the key is revoked.
 */
export async function showFirstAccess(
  access: FirstAccess,
  maintenance: UseCases['maintenance'],
  url: string,
): Promise<void> {
  const { name, key, token } = access;
  const link = token === undefined ? '' : linkText(welcomeUrl(url, token));
  if (await writeAndConfirm(process.stdout, `${keyText(name, key)}${link}${tryText(key, url)}`)) return;
  await maintenance.revoke(OPERATOR, access);
  const invite = token === undefined ? '' : ` and developers invite ${name} --role operator`;
  throw new Error(
    'The first key could not be shown, because standard output is closed or cannot be written; it is revoked. ' +
      `Run keys issue --developer ${name}${invite}, then start again.`,
  );
}

function keyText(name: string, key: string): string {
  return `
This is a new marketplace. Its first account has the name "${name}" and this API key.
The key is shown only now and works for ${FIRST_KEY_DAYS} days; keep it in a safe place:

  ${key}
`;
}

function linkText(link: string): string {
  return `
Sign in to the panel as operator with this link. It works once, for 24 hours:

  ${link}
`;
}

function tryText(key: string, url: string): string {
  return `
Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/api/categories

`;
}
