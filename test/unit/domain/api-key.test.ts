import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import {
  displayPrefix,
  expiryOf,
  isActive,
  isKeyText,
  newKeyText,
  checkKeyName,
  type ApiKey,
  type ApiKeyId,
} from '../../../domain/api-key.js';
import { brokenBy, checking } from './failure.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Their checksums are from Python's zlib.
const ZEROS = 'amk_0000000000000000000000000000000oO3Xk';
const LETTERS = 'amk_ABCDEFGHIJKLMNOPQRSTUVWXYZabcd4cIZMS';
const YEAR = 365 * 24 * 60 * 60 * 1000;

/** The value of the six characters at the end. */
function checksumOf(text: string): number {
  return Array.from(text.slice(-6)).reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
}

describe('the text of an API key', () => {
  it('is amk_, 30 characters and the CRC-32 of all before; known keys', () => {
    expect(newKeyText((count) => new Uint8Array(count))).to.equal(ZEROS);
    expect(newKeyText((count) => Uint8Array.from({ length: count }, (_, index) => index + 10))).to.equal(LETTERS);
    expect(isKeyText(ZEROS)).to.be.true;
    expect(isKeyText(LETTERS)).to.be.true;
  });

  it("has the form, zlib's checksum and no twin among 100,000, and bears no changed character", () => {
    const texts = new Set<string>();
    for (let n = 0; n < 100_000; n += 1) {
      const text = newKeyText(randomBytes);
      texts.add(text);
      if (!/^amk_[0-9A-Za-z]{36}$/.test(text) || !isKeyText(text)) expect.fail(`${text} has not the form of a key`);
      if (checksumOf(text) !== crc32(text.slice(0, -6))) expect.fail(`${text} has a wrong checksum`);
      if (isKeyText(mutated(text, n))) expect.fail(`${text} bears a change`);
    }
    expect(texts.size).to.equal(100_000);
  });

  it('is as likely with every character: bytes of 248 and over are dropped', () => {
    let next = 0;
    const text = newKeyText((count) => Uint8Array.from({ length: count }, () => (next = (next + 1) % 256)));
    expect(text.slice(4, 34)).to.equal('123456789ABCDEFGHIJKLMNOPQRSTU');
    let high = true;
    const late = (count: number) => {
      const bytes = new Uint8Array(count).fill(high ? 248 : 0);
      high = false;
      return bytes;
    };
    expect(newKeyText(late)).to.equal(ZEROS);
  });

  for (const text of [
    '',
    'amk_',
    'amk',
    ZEROS.slice(1),
    ZEROS.slice(0, -1),
    `${ZEROS}0`,
    `${ZEROS}\n`,
    ` ${ZEROS}`,
    ZEROS.toUpperCase(),
    'AMK_'.concat(ZEROS.slice(4)),
    'x'.repeat(40),
    'é'.repeat(40),
    'amk_'.repeat(1_000_000),
  ])
    it(`is not ${JSON.stringify(text.slice(0, 60))}`, () => {
      expect(isKeyText(text)).to.be.false;
    });

  it('is shown by its first ten characters', () => {
    expect(displayPrefix(LETTERS)).to.equal('amk_ABCDEF');
  });
});

/** With one character exchanged for another of the alphabet; which and for which goes round with n. */
function mutated(text: string, n: number): string {
  const index = n % text.length;
  const other = BASE62.charAt((BASE62.indexOf(text.charAt(index)) + 1 + (n % 61)) % 62);
  return text.slice(0, index) + other + text.slice(index + 1);
}

describe('an API key', () => {
  const key: ApiKey = {
    id: 'one' as ApiKeyId,
    hash: '',
    prefix: '',
    developerId: parseDeveloperId('ada'),
    name: 'Key',
    scopes: [],
    createdAt: new Date(0),
  };

  it('without an expiry is alive', () => {
    expect(isActive(key, new Date(8.64e15))).to.be.true;
  });

  it('is alive until a millisecond before its expiry', () => {
    const expiring = { ...key, expiresAt: new Date(1000) };
    expect([999, 1000, 1001].map((at) => isActive(expiring, new Date(at)))).to.deep.equal([true, false, false]);
  });

  it('is dead once revoked, whatever the times', () => {
    expect(isActive({ ...key, revokedAt: new Date(1000) }, new Date(999))).to.be.false;
    expect(isActive({ ...key, revokedAt: new Date(0), expiresAt: new Date(9) }, new Date(1))).to.be.false;
  });

  it('lives from 1 second to 100 years, or for ever', async () => {
    const created = new Date(5);
    expect(expiryOf(undefined, created)).to.equal(undefined);
    expect(expiryOf(1000, created)).to.deep.equal(new Date(1005));
    expect(expiryOf(100 * YEAR, created)).to.deep.equal(new Date(100 * YEAR + 5));
    for (const lifetime of [0, -1, 999, 999.9, 100 * YEAR + 1, NaN, Infinity, -Infinity])
      expect(await brokenBy(() => expiryOf(lifetime, created)), `${lifetime}`).to.deep.equal(['expires: out-of-range']);
  });

  it('has a name of 1 to 100 code points', () => {
    const read = (name: string) => checking((report) => checkKeyName(name, report));
    expect(read(` ${'🙂'.repeat(100)} `)).to.deep.equal({ value: '🙂'.repeat(100), broken: [] });
    expect(read('🙂'.repeat(101)).broken.map(({ code }) => code)).to.deep.equal(['too-long']);
    expect(read(' ').broken.map(({ code }) => code)).to.deep.equal(['too-short']);
  });
});
