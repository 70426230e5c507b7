import { OPERATOR } from '../../domain/access.js';
import { isOneLetterOff } from './one-letter-off.js';
import { UsageError } from './program.js';
import { say, type Output, type Session } from './session.js';
import { cursorPages } from './terminal/list.js';

/**
 * Returns what to say when the work for a developer is done: that they are new here; undefined when they are not. One
 * whose name is a letter off that of another was probably misspelt, and is refused unless `isNew` confirms the name.
 * @throws UsageError.
 */
export async function confirmName(session: Session, name: string, isNew = false): Promise<string | undefined> {
  return isNew || (await refuseMisspelt(session, name)) ? undefined : `${name} is new here`;
}

/** Returns whether a developer has the name. @throws UsageError when none has it, but one a letter off. */
export async function refuseMisspelt(session: Session, name: string): Promise<boolean> {
  if (await isKnown(session, name)) return true;
  const similar = await similarName(session, name);
  if (similar === undefined) return false;
  throw new UsageError(`no developer is named ${name}, but one is ${similar}; --new confirms the name`);
}

/** Says that there is no such developer, for a list that is empty. */
export async function sayUnknown(session: Session, name: string | undefined, stderr: Output): Promise<void> {
  if (name !== undefined && !(await isKnown(session, name))) say(stderr, `no developer named ${name}`);
}

async function isKnown({ accounts }: Session, name: string): Promise<boolean> {
  return (await accounts.find(OPERATOR, name)) !== undefined;
}

/** Names that differ in a digit are often meant to, such as those of a series. */
async function similarName({ accounts }: Session, name: string): Promise<string | undefined> {
  for await (const page of cursorPages((request) => accounts.list(OPERATOR, request)))
    for (const { id } of page) if (name.length > 3 && isOneLetterOff(withoutDigits(name), withoutDigits(id))) return id;
  return undefined;
}

function withoutDigits(name: string): string {
  return name.replace(/\d/g, '');
}
