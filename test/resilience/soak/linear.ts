import { identities } from '../../integration/oauth/token.js';
import { draftOf } from '../../../adapters/cli/transfer/automation-lines.js';
import { objectOf } from '../../../adapters/cli/transfer/lines.js';
import { listQueryParser } from '../../../adapters/api/list-query.js';
import { parseQuery } from '../../../adapters/api/query-string.js';
import { bearerOf } from '../../../adapters/edge/middleware/authentication.js';
import { InMemoryAutomationRepository, InMemoryCategoryRepository } from '../../../adapters/in-memory/index.js';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { Marketplace } from '../../../application/index.js';
import { Passwords } from '../../../application/passwords.js';
import { plainAddress } from '../../../domain/address.js';
import { checkDraft, DESCRIPTION, LICENSE, TITLE } from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { checkSignInName, signInKey } from '../../../domain/developer.js';
import { requestKey } from '../../../domain/idempotency.js';
import { isIdentityText } from '../../../domain/identity.js';
import { Violations } from '../../../domain/errors.js';
import { checkPassword } from '../../../domain/password.js';
import { checkWebsite } from '../../../domain/public-developer.js';
import { checkPublicName, publicNameKeys } from '../../../domain/public-name.js';
import { checkSearchTerms } from '../../../domain/search-terms.js';
import { wordsOf } from '../../../domain/words.js';
import { checkText, codePoints } from '../../../domain/text.js';
import { USD } from '../../contracts/offers.js';
import { Findings, type Report } from '../../support/soak-report.js';

const KIB = 1024;
const BODY = 64 * KIB;
/** A form may be three times as large, but a character beyond ASCII takes six bytes or more. */
const FORM = 64 * KIB;
const HEADER = 16 * KIB;
const TARGET = 8 * KIB;

const MAX_MS = 50;
const MAX_RATIO = 2.5;
/** Faster work is not compared with that at half of the bound. */
const NOTICEABLE_MS = 5;

/** Work on a text from outside, and the most code points that reach it, or with which it does not end at once. */
type Subject = readonly [bound: number, work: (text: string) => unknown];

const ignore = () => undefined;
const parseList = listQueryParser(
  new Marketplace(new InMemoryAutomationRepository(), new InMemoryCategoryRepository()),
  true,
);
const tokens = new JwtAccessTokenVerifier({ identities, issuer: 'https://issuer.example', audience: 'a' });
const passwords = new Passwords({ cost: 1 });
const context = { currency: USD, category: undefined };

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'a draft in a body': [
    BODY,
    (text) => checkDraft({ title: text, description: text, license: text }, context, new Violations()),
  ],
  'a description, and its words': [10_000, (text) => wordsOf(checkText(text, DESCRIPTION, ignore))],
  'a title, and its words': [200, (text) => wordsOf(checkText(text, TITLE, ignore))],
  'words to search for': [200, (text) => checkSearchTerms(text, ignore)],
  'too many words to search for': [FORM, (text) => checkSearchTerms(text, ignore)],
  'a public name, and its keys': [FORM, (text) => publicNameKeys(checkPublicName(text, ignore))],
  'a short public name, and its keys': [60, (text) => publicNameKeys(checkPublicName(text, ignore))],
  'a website': [FORM, (text) => checkWebsite(`https://${text}`, ignore)],
  'a name to sign in with, and its key': [FORM, (text) => signInKey(checkSignInName(text, ignore))],
  'a new password': [FORM, (text) => checkPassword(text, ['ada', text.slice(0, 100)], ignore)],
  'a password to sign in with': [FORM, (text) => passwords.verify(text, undefined)],
  'the name of a category': [FORM, (text) => newCategory({ id: 'a', name: text })],
  'a subject of an issuer': [HEADER, isIdentityText],
  'a licence': [FORM, (text) => checkText(text, LICENSE, ignore)],
  'an idempotency key': [HEADER, requestKey],
  'a bearer token': [HEADER, (text) => bearerOf({ req: { headers: { authorization: `Bearer ${text}` } } } as never)],
  'an access token': [HEADER, (text) => tokens.verify(text)],
  'an address of a proxy': [HEADER, plainAddress],
  'a query': [TARGET, (text) => parseQuery(text, ['q', 'page'])],
  'the query of the list': [TARGET, parseList],
  'a line of an import': [BODY, (text) => importedDraft(JSON.stringify({ title: text, description: text }))],
};

function importedDraft(line: string): unknown {
  return draftOf(objectOf({ noun: 'line', name: 'line', number: 1, end: 1, bytes: Buffer.from(line) }, []));
}

const PIECES = [
  ...['a', 'Z', '0', ' ', '\n', '\t', '.', '-', '=', '&', '%', '%41', '%CC%81'],
  ...['"', '\\', ',', ';', ':', '/', '{', '['],
  ...['%&', 'a&', '\u0301\u200D'],
  ...['\u0301', '\u0323', '\u{1D185}', '\u{1D17B}', '\u034F', '\u200D', '\uFEFF', '\u00AD', '\u3164', '\uFF9E'],
  ...['\uFDFA', '\u0130', '\u1E9E', '\u0344', '\u1F82', '\u{1D160}', '\u0F73', '\u05B0', '\u0651', '\u0E33'],
  ...[
    '中',
    'が',
    '\uFF76\uFF9E',
    '각',
    '\u1100',
    '\u1161',
    '\u11A8',
    '\u093F',
    '😀',
    '\uD800',
    '\0',
    '\u202E',
    '\uFFFE',
  ],
];

/** Pieces that are repeated, in turn or mixed. */
interface Construct {
  readonly pieces: readonly string[];
  readonly isMixed: boolean;
}

function randomConstruct(): Construct {
  const count = 1 + Math.floor(Math.random() * 4);
  const pieces = Array.from({ length: count }, () => {
    const piece = PIECES[Math.floor(Math.random() * PIECES.length)] ?? '';
    return piece.repeat(Math.random() < 0.3 ? 1 + Math.floor(Math.random() * 31) : 1);
  });
  return { pieces, isMixed: Math.random() < 0.3 };
}

function textOf({ pieces, isMixed }: Construct, length: number): string {
  const parts: string[] = [];
  for (let left = length - 2, turn = 0; left > 0; turn += 1) {
    const at = isMixed ? (turn * turn * 7 + turn * 3 + (turn >> 3)) % pieces.length : turn % pieces.length;
    const piece = codePoints(pieces[at] ?? 'a') <= left ? (pieces[at] ?? 'a') : 'a';
    parts.push(piece);
    left -= codePoints(piece);
  }
  return `a${parts.join('')}b`;
}

/** Returns the least processor time of some tries, in milliseconds: what others do on the machine does not count. */
async function timeOf(work: Subject[1], text: string, tries: number): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < tries; n += 1) {
    const began = process.cpuUsage();
    try {
      await work(text);
    } catch {
      // A refusal is work as well.
    }
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** I11: looks for the texts on which each function works longest, and compares the time with that for half of them. */
export async function linear(constructs: number): Promise<Report> {
  const findings = new Findings();
  for (const [name, [bound, work]] of Object.entries(SUBJECTS)) {
    const candidates = [...PIECES.map(alone), ...Array.from({ length: constructs }, randomConstruct)];
    const worst = await worstOf(work, bound, candidates);
    const whole = await timeOf(work, textOf(worst, bound), 15);
    const half = await timeOf(work, textOf(worst, bound / 2), 15);
    const what = `${name}, ms`;
    findings.atMost(what, whole, MAX_MS);
    const ratio = whole / half;
    if (whole > NOTICEABLE_MS && ratio > MAX_RATIO)
      findings.excesses.push(`${what}: ${ratio.toFixed(1)} times that at half, of ${JSON.stringify(worst)}`);
    if (whole > MAX_MS) findings.excesses.push(`${what}: of ${JSON.stringify(worst)}`);
  }
  return findings;
}

function alone(piece: string): Construct {
  return { pieces: [piece], isMixed: false };
}

async function worstOf(work: Subject[1], bound: number, candidates: readonly Construct[]): Promise<Construct> {
  let worst: Construct = alone('a');
  let most = 0;
  for (const candidate of candidates) {
    const time = await timeOf(work, textOf(candidate, bound), 3);
    if (time > most) [worst, most] = [candidate, time];
  }
  return worst;
}
