import type { Account } from '../../../application/account.js';
import type { SuspendOptions } from '../../../application/accounts.js';
import { developerId, OPERATOR } from '../../../domain/access.js';
import { messageOf, say, type Host, type Session } from '../session.js';
import { cursorPages } from '../terminal/list.js';
import { counted } from '../terminal/words.js';
import { readInput } from '../transfer/input-file.js';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Suspends the people whom standard input names, one in each line, by their names or by the subjects that issuers know
 * them by. Those who are not known here are counted: a list of leavers has many.
 * @throws Error when a line was not done
 */
export async function suspendLeavers(host: Host, { accounts }: Session, options: SuspendOptions): Promise<void> {
  const text = (await readInput('-', host, MAX_BYTES)).toString('utf8');
  const names = text.split('\n').map((line) => line.trim());
  let [suspended, unknown, failed] = [0, 0, 0];
  for (const [index, name] of names.entries()) {
    if (name === '') continue;
    try {
      const id = await leaverCalled(name, accounts);
      if (id === undefined) unknown += 1;
      else {
        await accounts.suspend(OPERATOR, id, options);
        suspended += 1;
      }
    } catch (error) {
      failed += 1;
      say(host.stderr, `line ${index + 1}: ${messageOf(error)}`);
    }
  }
  say(host.stdout, `${counted(suspended, 'developer')} suspended; ${counted(unknown, 'line')} with nobody here`);
  if (failed > 0) throw new Error(`${counted(failed, 'line')} not done`);
}

/** Returns the one account that has this name or this subject. @throws Error when there are several. */
async function leaverCalled(name: string, accounts: Session['accounts']): Promise<Account['id'] | undefined> {
  const found = new Set<Account['id']>();
  for await (const page of cursorPages((request) => accounts.list(OPERATOR, { ...request, text: name })))
    for (const { id, identities = [] } of page)
      if (id === developerId(name) || identities.some(({ subject }) => subject === name)) found.add(id);
  if (found.size > 1) throw new Error(`several accounts have this name or subject: ${[...found].join(', ')}`);
  return [...found][0];
}
