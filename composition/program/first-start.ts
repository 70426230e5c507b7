import { writeAndConfirm } from '../../adapters/cli/index.js';
import type { UseCases } from '../../application/core.js';
import { FIRST_KEY_DAYS, type FirstAccess } from '../../application/maintenance.js';
import { OPERATOR } from '../../domain/access.js';
import { programName } from '../config/environment.js';
import { welcomeUrl } from './links.js';

/**
 * Prints the first key and link for people, the only time that they are shown. Without a key, it names the command that
 * makes one.
 * @throws Error when they could not be shown: then the key is revoked.
 */
export async function showFirstAccess(
  access: FirstAccess,
  maintenance: UseCases['maintenance'],
  url: string,
): Promise<void> {
  const { name, key, token } = access;
  const link = token === undefined ? '' : linkText(welcomeUrl(url, token));
  const text = key === undefined ? commandText(name) + link : keyText(name, key.text) + link + tryText(key.text, url);
  if (await writeAndConfirm(process.stdout, `${text}\n`)) return;
  await maintenance.revoke(OPERATOR, access);
  const invite = token === undefined ? [] : [`developers invite ${name} --role operator`];
  throw new Error(
    'The first access could not be shown, because standard output is closed or cannot be written. ' +
      `Run ${[`keys issue --developer ${name}`, ...invite].join(' and ')}, then start again.`,
  );
}

function keyText(name: string, key: string): string {
  return `
This is a new marketplace. Its first account has the name "${name}" and this API key.
The key is shown only now and works for ${FIRST_KEY_DAYS} days; keep it in a safe place:

  ${key}
`;
}

function commandText(name: string): string {
  return `
This is a new marketplace. Its first account has the name "${name}". To make an API key for it, run

  ${programName()} keys issue --developer ${name}
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
