import { BlockList, isIP } from 'node:net';
import { parsePublicUrl } from '../../adapters/edge/public-url.js';
import { isConfidential, isIssuer, ISSUER_RULE, KEYS_RULE } from '../../adapters/oauth/issuer.js';
import { plainAddress } from '../../domain/address.js';
import { DomainError, Violations } from '../../domain/errors.js';
import { checkText } from '../../domain/text.js';
import { readNamedFile, readPem } from './files.js';

/**
 * Parses the text of a setting, which is not empty.
 * @throws Error whose message follows the name of the setting and contains no value.
 */
export type Parser<Value> = (text: string) => Value;

/** Returns the text. @throws Error for what an editor or another tool has put around it or into it. */
export function clean(text: string): string {
  if (/^(["'`]).*\1$|^\u201C.*\u201D$/s.test(text)) throw new Error('must not have quotes around it');
  if (/\p{Cc}/u.test(text)) throw new Error('must not have control characters, such as a carriage return');
  if (text !== text.trim()) throw new Error('must not begin or end with a blank');
  return text;
}

export function integer(lowest: number, highest: number): Parser<number> {
  return (text) => {
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= lowest && Number(text) <= highest) return Number(text);
    throw new Error(`must be an integer from ${lowest} to ${highest}`);
  };
}

/** Parses a number of requests per minute. */
export function rate(text: string): number | 'off' {
  if (text === 'off') return 'off';
  try {
    return integer(1, 1_000_000)(text);
  } catch (error) {
    throw new Error(`${(error as Error).message}, or off`, { cause: error });
  }
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

export function onOrOff(text: string): boolean {
  return oneOf(['on', 'off'])(text) === 'on';
}

const CIDR_BLOCK = /^([0-9a-f.:]+)\/(\d{1,3})$/i;

const STORAGES = ['sqlite', 'postgresql', 'mongodb', 'memory'] as const;
/** The path of a module that exports a storage. */
export type ModulePath = string & { readonly __brand: 'ModulePath' };

/** Parses the name of a storage, or the path of a module: text with a dot or a slash. */
export function storage(text: string): (typeof STORAGES)[number] | ModulePath {
  const name = STORAGES.find((candidate) => candidate === text);
  if (name !== undefined) return name;
  if (!/[./\\]/.test(text))
    throw new Error(`must be one of ${STORAGES.join(', ')}, or the path of a module, such as ./my-store.js`);
  readNamedFile(text);
  return text as ModulePath;
}

/** A connection string whose only @ ends the user and the password, which have no sign that would end them sooner. */
const UNAMBIGUOUS = /^[a-z+]+:\/\/(?:[^@/?#]*@)?[^@#]*$/;

/** @throws Error for a connection string of which a driver would take a part of the password for the host. */
export function refuseAmbiguous(url: string): void {
  if (/[@#]/.test(url) && !UNAMBIGUOUS.test(url))
    throw new Error(
      'must have one @ at most, in front of the host, and no #: write @ as %40, / as %2F, ? as %3F and # as %23, ' +
        'also in a password',
    );
}

/** Parses an http or https URL, without the final slash. */
export function origin(text: string): string {
  const url = parsePublicUrl(text);
  if (url !== undefined) return url;
  throw new Error(
    'must be an http or https URL without query, fragment and credentials, such as https://market.example',
  );
}

/** Parses http and https URLs with commas in between, each without the final slash. */
export function addresses(text: string): readonly string[] {
  const urls = text.split(',').map((address) => parsePublicUrl(address.trim()));
  if (urls.every((url) => url !== undefined)) return urls;
  throw new Error(
    'must be http or https URLs with commas in between, without query, fragment and credentials, such as ' +
      'https://n8n.example',
  );
}

/** Returns a parser that keeps a text as it is: an issuer's documents must contain exactly the same. */
function verbatim(isGood: (text: string) => boolean, rule: string): Parser<string> {
  return (text) => {
    if (isGood(text)) return text;
    throw new Error(rule);
  };
}

export const issuer = verbatim(isIssuer, ISSUER_RULE);
export const keysUrl = verbatim((url) => isConfidential(url) && !/[\s@]/.test(url), KEYS_RULE);
export const audience = verbatim(
  (name) => /^[!-~]{1,1000}$/.test(name),
  'must be what the issuer calls the marketplace, in at most 1,000 visible ASCII characters, such as ' +
    'https://market.example',
);

export const claim = verbatim(
  (name) => /^[!-~]{1,255}$/.test(name),
  'must be the name of a claim, in at most 255 visible ASCII characters, such as oid',
);

/** Takes scopes with blanks in between; without `openid` no issuer tells who has signed in. */
export const scopes = verbatim(
  (text) => /^[!-~ ]{1,500}$/.test(text) && text.split(' ').includes('openid'),
  'must be scopes with blanks in between, one of which is openid',
);

/** Parses values with commas in between. */
export function values(text: string): readonly string[] {
  const all = text.split(',').map((value) => value.trim());
  if (all.every((value) => value !== '')) return all;
  throw new Error('must be values with commas in between, such as market-admins,market-owners');
}

/** Parses a claim and its value. */
export function requiredClaim(text: string): { readonly claim: string; readonly value: string } {
  const [, name, value] = /^([!-<>-~]{1,255})=(.+)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { claim: name, value };
  throw new Error('must be the name of a claim and its value, such as hd=corp.example');
}

/** Takes the name of a schema. PostgreSQL cuts off what follows 63 bytes, and keeps names with pg_ for itself. */
export const postgresSchema = verbatim(
  (name) => Buffer.byteLength(name) <= 63 && !/^pg_|\0/.test(name),
  'must have 1 to 63 bytes, and not begin with pg_',
);

/** Takes a token that is sent in a header. */
export const bearerToken = verbatim(
  (token) => /^[\x21-\x7E]+$/.test(token),
  'must be visible ASCII characters without spaces',
);

/** Parses CIDR blocks with commas in between, and returns whether an address is in one of them. */
export function networks(text: string): (address: string) => boolean {
  const blocks = new BlockList();
  for (const block of text.split(',')) {
    const [, address = '', bits = ''] = CIDR_BLOCK.exec(block.trim()) ?? [];
    const family = isIP(address);
    if (family === 0 || Number(bits) > (family === 4 ? 32 : 128))
      throw new Error('must be CIDR blocks with commas in between, such as 203.0.113.0/24,2001:db8::/32');
    blocks.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const plain = plainAddress(address).replace(/%.*/, '');
    return isIP(plain) !== 0 && blocks.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  };
}

const NAME = { maxLength: 60, multiline: false };

export function brandName(text: string): string {
  const violations = new Violations();
  const name = checkText(text, NAME, violations.field('name'));
  if (violations.fields.length === 0) return name;
  throw new Error(`must be a name of 1 to ${NAME.maxLength} characters, without control characters`);
}

/** Reads the value from the file that the setting names, without white space around it. */
export function inFile<Value>(parse: Parser<Value>): Parser<Value> {
  return (path) => {
    const content = readNamedFile(path).toString('utf8').trim();
    if (content === '') throw new Error('must name a file that is not empty');
    return parse(clean(content));
  };
}

/** Returns the path, once something can be read there. */
export function pemFile(path: string): string {
  readPem(path);
  return path;
}

/** Returns why a value is a mistake; of an error of the core, the sentence about the field. */
export function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.fields[0]) return error.fields[0].detail;
  return error instanceof Error ? error.message : 'is not valid';
}
