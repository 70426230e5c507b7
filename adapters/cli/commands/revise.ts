import type { Revised } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import type { UncheckedDraft } from '../../../domain/automation.js';
import type { Currency } from '../../../domain/currency.js';
import { DomainError } from '../../../domain/errors.js';
import { typedPrice, typedPriceRule } from '../../../domain/typed-price.js';
import { command, UsageError } from '../command.js';
import { DONE, say, withSession, type Session, type Terminal } from '../session.js';
import { wordOf } from '../terminal/words.js';
import { readInput } from '../transfer/input-file.js';
import { BadInput, textOf, withLineFeeds } from '../transfer/json-input.js';

const MAX_DESCRIPTION_BYTES = 64 * 1024;

export const revise = command(
  {
    name: 'automations revise',
    summary: 'changes title, description, price or category of an automation on sale',
    details: 'Changes only what an option names. A repeated run changes nothing.',
    arguments: ['ID'],
    options: {
      title: { value: 'TEXT', summary: 'the new title' },
      description: { value: 'FILE', summary: 'a file with the new description; - is standard input' },
      price: { value: 'P', summary: 'the new price, such as 9.99 or 9,99; 0 is free' },
      category: { value: 'ID', summary: 'the id of the new category' },
    },
  },
  async ({ arguments: [id], options: { title, description, price, category } }, host) => {
    if ([title, description, price, category].every((value) => value === undefined))
      throw new UsageError('--title, --description, --price or --category is missing');
    const texts = {
      title,
      categoryId: category,
      description: description === undefined ? undefined : await readText(description, host),
    };
    const { changed } = await withSession(host, (session) => {
      const { currency } = session.marketplace;
      return reviseTwice(session, id, {
        ...texts,
        price: price === undefined ? undefined : parsePrice(price, currency),
      });
    });
    const outcome = changed.length === 0 ? 'has this content already; nothing changed' : 'is revised; changed';
    say(host.stdout, `automation ${id} ${[outcome, changed.map(wordOf).join(', ')].join(' ').trimEnd()}`);
    return DONE;
  },
);

function parsePrice(text: string, currency: Currency): number {
  const price = typedPrice(text, currency);
  if (typeof price === 'string') throw new UsageError(`--price ${typedPriceRule(currency)}`);
  return price;
}

async function readText(path: string, terminal: Terminal): Promise<unknown> {
  const bytes = await readInput(path, terminal, MAX_DESCRIPTION_BYTES);
  try {
    return withLineFeeds(textOf(bytes));
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    throw new Error(`the file ${error.message}`, { cause: error });
  }
}

/** Tries once more after a conflict: the second try is based on the state that the other revision left. */
async function reviseTwice(session: Session, id: string, changes: UncheckedDraft): Promise<Revised> {
  const first = await tryToRevise(session, id, changes);
  const outcome = first instanceof DomainError ? await tryToRevise(session, id, changes) : first;
  if (!(outcome instanceof DomainError)) return outcome;
  const last = await lastRevision(session, id);
  const reason = last === undefined ? outcome.message : wordsOf(last);
  throw new Error(`nothing was changed: ${reason}`, { cause: outcome });
}

/** Returns the conflict with another revision as a value. @throws any other error */
async function tryToRevise({ marketplace }: Session, id: string, changes: UncheckedDraft) {
  try {
    return await marketplace.reviseAutomation(OPERATOR, id, changes);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'revised-meanwhile') return error;
    throw error;
  }
}

async function lastRevision({ audit, records }: Session, id: string): Promise<AuditEntry | undefined> {
  const { developerId } = (await records.read(OPERATOR, id)).automation;
  const { items } = await audit.list(OPERATOR, { developer: developerId, limit: 100 });
  return items.find(({ action, subject }) => action === 'automation-revised' && subject === id);
}

function wordsOf({ actor, developerId, changed = [], at }: AuditEntry): string {
  const who = actor === 'operator' ? 'the operator' : `developer ${developerId ?? ''}`;
  return `${who} changed ${changed.map(wordOf).join(', ')} at ${at.toISOString()}; look at it and try again`;
}
