import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Revised } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import type { UncheckedDraft } from '../../../domain/automation.js';
import type { Currency } from '../../../domain/currency.js';
import { DomainError } from '../../../domain/errors.js';
import { MAX_FILE_BYTES, type FileDraft } from '../../../domain/file.js';
import { typedPrice, typedPriceRule } from '../../../application/typed-price.js';
import { UsageError } from '../program.js';
import { say, withSession, type Host, type Output, type Session, type Terminal } from '../session.js';
import { wordOf } from '../terminal/words.js';
import { fileError, textBytes } from '../transfer/file-kind.js';
import { readInput } from '../transfer/input-file.js';
import { textOf, withLineFeeds } from '../transfer/json-input.js';

const ATTACH_HELP = `
FILE is what the tool of the automation exports, at most 1 MiB; its name ends with .json, .zip, .py or
the like. Names of credentials and the like are removed from a workflow of n8n; a file with a secret is
refused. What was removed is listed, and what may be private. "automations revise ID --file=" removes a file.`;

const MAX_DESCRIPTION_BYTES = 64 * 1024;

export function addRevise(automations: Command, host: Host): void {
  automations
    .command('revise <ID>')
    .description('changes what an automation on sale says')
    .option('--title <TEXT>', 'the new title')
    .option('--description <FILE>', 'a file with the new description; - is standard input')
    .option('--price <P>', 'the new price, such as 9.99 or 9,99; 0 is free')
    .option('--category <ID>', 'the id of the new category')
    .option('--url <URL>', 'where to get it or read more; an empty one removes it')
    .option('--license <TEXT>', 'an SPDX identifier, or words; an empty one removes it')
    .option('--file <FILE>', 'the automation itself, as "automations attach" takes it; an empty one removes it')
    .addHelpText('after', '\nChanges only what an option names. A repeated run changes nothing.')
    .action(async (id, { description, price, category: categoryId, file: path, ...texts }) => {
      if ([description, price, categoryId, path, ...Object.values(texts)].every((value) => value === undefined))
        throw new UsageError('--title, --description, --price, --category, --url, --license or --file is missing');
      const text = description === undefined ? undefined : await readText(description, host);
      const file = path === undefined || path === '' ? path : await readFileDraft(path, host);
      await withSession(host, async (session) => {
        const { currency } = session.marketplace;
        const amount = price === undefined ? undefined : parsePrice(price, currency);
        const changes = { ...texts, description: text, price: amount, categoryId, file };
        report(await reviseTwice(session, id, changes), host.stdout);
      });
    });
}

export function addAttach(automations: Command, host: Host): void {
  automations
    .command('attach <ID> <FILE>')
    .description('gives an automation on sale its file, or replaces it; only with the price 0')
    .addHelpText('after', ATTACH_HELP)
    .action(async (id, path) => {
      const file = await readFileDraft(path, host);
      await withSession(host, async (session) => report(await reviseTwice(session, id, { file }), host.stdout));
    });
}

/** @throws Error that says why it cannot be read. */
async function readFileDraft(path: string, terminal: Terminal): Promise<FileDraft> {
  if (path === '-') throw new UsageError('standard input has no name; give the path of a file');
  return { name: basename(path), bytes: await readInput(path, terminal, MAX_FILE_BYTES) };
}

function report({ automation, changed, removed }: Revised, output: Output): void {
  const fields = changed.map(wordOf).join(', ');
  const outcome = fields === '' ? 'already has these values; nothing changed' : `is revised; changed ${fields}`;
  say(output, `automation ${automation.id} ${outcome}`);
  if (!changed.includes('file') || automation.file === null) return;
  if (removed.length > 0)
    say(output, `removed from the file: ${removed.map(({ kind, count }) => `${kind} (${count})`).join(', ')}`);
  const remaining: Readonly<Record<string, readonly string[]>> = { ...automation.file.facts?.remaining };
  for (const [kind, texts] of Object.entries(remaining))
    if (texts.length > 0) say(output, `the file still has ${kind}, which may be private: ${texts.join(', ')}`);
}

function parsePrice(text: string, currency: Currency): number {
  const price = typedPrice(text, currency);
  if (typeof price === 'string') throw new UsageError(`--price ${typedPriceRule(currency)}`);
  return price;
}

async function readText(path: string, terminal: Terminal): Promise<unknown> {
  const bytes = await readInput(path, terminal, MAX_DESCRIPTION_BYTES);
  try {
    return withLineFeeds(textOf(textBytes(bytes)));
  } catch (error) {
    throw fileError(error);
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
async function tryToRevise({ marketplace, records }: Session, id: string, changes: UncheckedDraft) {
  try {
    return await marketplace.reviseAutomation(OPERATOR, id, changes);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'revised-meanwhile') return error;
    if (error instanceof DomainError && error.kind === 'not-found') await refuseWithdrawn(records, id);
    throw error;
  }
}

/** @throws Error that says since when an automation is withdrawn. */
async function refuseWithdrawn(records: Session['records'], id: string): Promise<void> {
  const { withdrawn } = await records.read(OPERATOR, id);
  if (withdrawn !== undefined)
    throw new Error(`automation ${id} cannot be revised: it is withdrawn, since ${withdrawn.at.toISOString()}`);
}

async function lastRevision({ audit, records }: Session, id: string): Promise<AuditEntry | undefined> {
  const { automation } = await records.read(OPERATOR, id);
  const { items } = await audit.list(OPERATOR, { developer: automation.developerId, limit: 100 });
  return items.find(({ action, subject }) => action === 'automation-revised' && subject === automation.id);
}

function wordsOf({ actor, developerId, changed = [], at }: AuditEntry): string {
  const who = actor === 'operator' ? 'the operator' : `developer ${developerId ?? ''}`;
  return `${who} changed ${changed.map(wordOf).join(', ')} at ${at.toISOString()}; look at it and try again`;
}
