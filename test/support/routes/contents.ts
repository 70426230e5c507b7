import { createHash, randomUUID } from 'node:crypto';
import { parseDeveloperId, type Automation, type AutomationId, type DeveloperId } from '../../../application/index.js';
import { newAutomation } from '../../../domain/automation.js';
import { parseFileName } from '../../../domain/file.js';
import type { FileFacts } from '../../../domain/file-facts.js';
import type { NewAutomation } from '../../../domain/ports.js';
import { minorUnits } from '../../../domain/price.js';
import { newCategory, type Category } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';

/** The longest texts that are legal, of each kind that is dear somewhere; automations have them in turn. */
export const TEXTS: readonly { readonly title: string; readonly description: string }[] = [
  // Each character becomes six in HTML.
  { title: '"'.repeat(200), description: '"'.repeat(10_000) },
  // Each row of the table gets all cells that are missing.
  { title: 'a|'.repeat(100), description: `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'a\n'.repeat(2_990)}a` },
  { title: longest(200, marked), description: longest(10_000, marked) },
  { title: 'w'.repeat(200), description: longest(10_000, (n) => `http://a.${n} *b **c [d](http://e) `) },
  // As many words for the index as there can be.
  { title: longest(200, word), description: longest(10_000, word) },
];

function marked(n: number): string {
  return `${String.fromCodePoint(0x61 + (n % 26))}${'\u0301'.repeat(30)}`;
}

function word(n: number): string {
  return `${n.toString(36)} `;
}

/** Joins pieces as long as they fit. */
function longest(length: number, piece: (n: number) => string): string {
  let text = '';
  for (let n = 0; text.length + piece(n).length <= length; n += 1) text += piece(n);
  return text.trim();
}

/** As many categories as an operator might keep, with the longest ids and names. */
export const CATEGORIES: readonly Category[] = Array.from({ length: 200 }, (_, n) =>
  newCategory({ id: `${n}-`.padEnd(64, 'c'), name: `${n}`.padEnd(100, '"') }),
);

/** Developers with the longest ids. */
export const NAMES = {
  buyer: idOf('buyer'),
  seller: idOf('seller'),
  operator: idOf('operator'),
  /** Sell as well, so that each card of a list shows another one. */
  others: Array.from({ length: 50 }, (_, n) => idOf(`other-${n}`)),
};

export function idOf(name: string): DeveloperId {
  return parseDeveloperId(name.padEnd(64, '0'));
}

export const REASON = '"'.repeat(1_000);
export const KEY_NAME = '"'.repeat(100);
/** Apps have 10 of them. */
export const REDIRECT_URIS = Array.from({ length: 10 }, (_, n) => `https://a.example/${n}`.padEnd(500, "'"));
export const WEBSITE = `https://a.example/${'"'.repeat(480)}`;

/** Returns the longest public name, for each number one that looks like no other. */
export function publicName(n: number): string {
  return Array.from(String(n), (digit) => 'abcdefghjk'.charAt(Number(digit)))
    .join('')
    .padEnd(60, '"');
}

/** Returns a workflow of n8n with as many steps, filled up with addresses. */
export function workflowOf(steps: number, bytes: number): string {
  const nodes = '{"type":"a.b"},'.repeat(steps - 1);
  const [start, end] = [`{"nodes":[${nodes}{"type":"a.b","notes":"`, '"}],"connections":{}}'];
  const address = 'https://a.example b@c.example ';
  return start + address.repeat(Math.floor((bytes - start.length - end.length) / address.length)) + end;
}

/** Returns an automation of the seller, or for odd numbers one of many others. */
export function automationOf(n: number): Automation {
  const category = CATEGORIES[n % CATEGORIES.length];
  const draft = { ...TEXTS[n % TEXTS.length], price: n / 100, categoryId: category?.id };
  const developerId = n % 2 === 0 ? NAMES.seller : (NAMES.others[n % NAMES.others.length] ?? NAMES.seller);
  const origin = { id: randomUUID() as AutomationId, developerId, createdAt: new Date(Date.UTC(2026, 0, 1) + n) };
  return newAutomation(draft, { currency: parseCurrency('USD'), category }, origin);
}

/** Returns the offer of an automation with a small file of n8n, whose facts have the longest lists. */
export function withWorkflow(automation: Automation): NewAutomation {
  const fileContent = Buffer.from(workflowOf(1, 100));
  const texts = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(100, '"'));
  const facts: FileFacts = {
    needs: texts,
    hosts: texts,
    credentials: texts.map((text) => ({ type: text, host: text })),
    abilities: [],
    communityPackages: texts,
    brokenConnections: 0,
    unconnectedSteps: 0,
    remaining: { documents: texts, hosts: texts, emails: texts },
    isComplete: false,
  };
  const sha256 = createHash('sha256').update(fileContent).digest('hex');
  const file = { name: parseFileName('w.json'), size: fileContent.length, sha256, platform: 'n8n', facts } as const;
  return {
    automation: { ...automation, price: { ...automation.price, minorUnits: minorUnits(0) }, file },
    fileContent,
  };
}
