import assert from './assert.js';
import type { FileName } from '../../domain/file.js';
import type { FileInspector } from '../../domain/ports.js';
import { bytesOf, EVERY_BYTE, inspect, type Inspections } from './inspections.js';

const MAX_LEVELS = 200;
const MAX_VALUES = 20_000;

export function jsonPromises({ describe, it }: Inspections): void {
  const codesOf = async (inspector: FileInspector, name: string, text: string) =>
    (await inspect(inspector, name, text)).violations.map(({ code }) => code);

  describe('Reports JSON of more than 200 levels', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      it(`of ${open}`, async ({ inspector }) => {
        const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
        assert.deepEqual(await codesOf(inspector, 'a.json', nested(MAX_LEVELS)), []);
        for (const levels of [MAX_LEVELS + 1, 100_000])
          assert.deepEqual(await codesOf(inspector, 'a.json', nested(levels)), ['too-deep']);
      });

    it('but none in a string', async ({ inspector }) => {
      assert.deepEqual(await codesOf(inspector, 'a.json', JSON.stringify(['[{"\\'.repeat(1_000)])), []);
    });
  });

  describe('Reports JSON of more than 20,000 values', () => {
    for (const value of ['1', '"a"', '{"a":1}'])
      it(`of ${value}`, async ({ inspector }) => {
        const values = (count: number) => `[${Array(count).fill(value).join()}]`;
        assert.deepEqual(await codesOf(inspector, 'a.json', values(MAX_VALUES + 1)), ['too-many-values']);
        assert.deepEqual(await codesOf(inspector, 'a.json', values(MAX_VALUES / 2 - 1)), []);
      });
  });

  describe('Reports numbers that reading would change', () => {
    for (const number of ['12345678901234567890', '9007199254740993', '-0.12345678901234567890', '1e400', '1e-400'])
      it(`${number}, by its place`, async ({ inspector }) => {
        const { violations } = await inspect(inspector, 'a.json', `{"one": [0, {"two": ${number}}]}`);
        assert.deepEqual(
          violations.map(({ code }) => code),
          ['inexact-number'],
        );
        assert.match(violations[0]?.place ?? '', /one.*1.*two/);
      });

    for (const number of ['0', '-0', '1.50', '123456789012345', '9007199254740992', '0.1', '5e-324', '1E+2', '-1e21'])
      it(`not ${number}`, async ({ inspector }) => {
        assert.deepEqual(await codesOf(inspector, 'a.json', `[${number}]`), []);
      });

    it('not in a string', async ({ inspector }) => {
      assert.deepEqual(await codesOf(inspector, 'a.json', '["12345678901234567890"]'), []);
    });
  });

  describe('Reports names that stand twice in an object', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":{},"\\u0061":2}',
      '[{"__proto__":1,"__proto__":2}]',
      '{"":0,"":0}',
    ])
      it(text, async ({ inspector }) => {
        assert.deepEqual(await codesOf(inspector, 'a.json', text), ['duplicate-key']);
      });

    it('not in two objects', async ({ inspector }) => {
      assert.deepEqual(await codesOf(inspector, 'a.json', '[{"a":{"a":1}},{"a":1}]'), []);
    });
  });

  describe('Reports text that is no UTF-8, and a file that is named `.json` and is none', () => {
    for (const [name, bytes, code] of [
      ['a.txt', EVERY_BYTE, 'invalid-text'],
      ['a.json', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0), 'invalid-text'],
      ['a.txt', Uint8Array.of(0x61, 0xed, 0xa0, 0x80), 'invalid-text'],
      ['a.json', bytesOf('{"a":1'), 'invalid-json'],
      ['a.json', bytesOf('{a:1}'), 'invalid-json'],
      ['a.json', bytesOf(''), 'invalid-json'],
      ['a.json', bytesOf('"'), 'invalid-json'],
    ] as const)
      it(`${name} of ${bytes.length} bytes, ${code}`, async ({ inspector }) => {
        const { violations, content } = await inspector.inspect(name as FileName, bytes);
        assert.deepEqual(
          violations.map((violation) => violation.code),
          [code],
        );
        assert.deepEqual(content, bytes);
      });
  });
}
