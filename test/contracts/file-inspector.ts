import assert from './assert.js';
import type { FileName } from '../../domain/file.js';
import type { FileInspection } from '../../domain/ports.js';
import { jsonPromises } from './file-inspector-json.js';
import { bytesOf, EVERY_BYTE, inspect, type Inspectable, type Inspections } from './inspections.js';
import { globalRunner, suiteOver, type Fresh, type Runner } from './runner.js';

const MEBIBYTE = 1_048_576;
const ODD_TEXTS = [
  '\0\uD800x'.repeat(200),
  '\u2028a@b.example',
  `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(5)}example`,
  ...['ä'.repeat(300), 'İ'.repeat(200), '\u{10428}'.repeat(200)].map((host) => `https://${host}.example/`),
];

/** What every `FileInspector` owes. */
export function fileInspectorContract(fresh: Fresh<Inspectable>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('FileInspector', () => {
    suite.describe('inspect', () => {
      platformPromises(suite);
      removalPromises(suite);
      secretPromises(suite);
      jsonPromises(suite);
      bytesPromises(suite);
      textPromises(suite);
    });
  });
}

function platformPromises({ describe, it }: Inspections): void {
  describe('Returns the platform of the content, whatever the name of a file of text', () => {
    for (const name of ['a.json', 'A.JSON', 'a.txt', 'a.js'])
      it(`as ${name}`, async ({ inspector, files }) => {
        for (const { platform, text } of files) {
          const found = await inspect(inspector, name, text);
          assert.equal(found.platform, platform);
          assert.ok(found.facts !== undefined);
          assert.deepEqual(found.violations, []);
        }
      });

    it('each of which it lists once', async ({ inspector, files }) => {
      assert.deepEqual(new Set(files.map(({ platform }) => platform)), new Set(inspector.platforms));
      assert.equal(new Set(inspector.platforms).size, inspector.platforms.length);
    });
  });

  describe('Returns the content of a file of no platform as it came', () => {
    for (const [name, text] of [
      ['a.json', '{}'],
      ['a.json', ' [1.0, "\\u0041", 1e2]\r\n'],
      ['a.json', 'null'],
      ['a.json', '\uFEFF{"a": 1}'],
      ['a.txt', '\uFEFFa\r\n\0'],
      ['a.yaml', '{ not: JSON }'],
      ['a.md', 'x'],
    ] as const)
      it(`${name} with ${JSON.stringify(text)}`, async ({ inspector }) => {
        const found = await inspect(inspector, name, text);
        assert.deepEqual(found, { content: bytesOf(text), removed: [], violations: [] });
      });

    it('of 1 MiB', async ({ inspector }) => {
      const text = 'ä'.repeat(MEBIBYTE / 2);
      assert.deepEqual((await inspect(inspector, 'a.txt', text)).content, bytesOf(text));
    });
  });
}

function removalPromises({ describe, it }: Inspections): void {
  describe('Of a file of a platform removes the parts that it counts in `removed`, or leaves `{}` of them', () => {
    it('each kind once', async ({ inspector, files }) => {
      for (const { text } of files) {
        const { content, removed } = await inspect(inspector, 'a.json', text);
        assert.ok(content.length < bytesOf(text).length);
        assert.ok(removed.length > 0 && removed.every(({ count }) => Number.isInteger(count) && count > 0));
        assert.equal(new Set(removed.map(({ kind }) => kind)).size, removed.length);
      }
    });

    it('what stays is equal as JSON, in the same order', async ({ inspector, files }) => {
      for (const { text } of files) {
        const { content } = await inspect(inspector, 'a.json', text);
        assertPart(JSON.parse(textOf(content)), JSON.parse(text));
      }
    });

    it('a file of which nothing is removed stays byte for byte: with other blanks and a mark in front', async (one) => {
      for (const { text } of one.files) {
        const { content } = await inspect(one.inspector, 'a.json', text);
        const left = `\uFEFF \r\n${textOf(content)}\t`;
        const found = await inspect(one.inspector, 'a.json', left);
        assert.deepEqual(found.removed, []);
        assert.deepEqual(found.content, bytesOf(left));
      }
    });
  });

  describe('Inspecting the content again removes nothing', () => {
    it('and returns the same content', async ({ inspector, files }) => {
      for (const { text } of files) {
        const once = await inspect(inspector, 'a.json', text);
        const twice = await inspect(inspector, 'a.json', textOf(once.content));
        assert.deepEqual(twice, { ...once, removed: [] });
      }
    });
  });
}

function secretPromises({ describe, it }: Inspections): void {
  describe('Reports what looks like a secret in the content, by place and kind and never by value', () => {
    it('in a text', async ({ inspector, secrets }) => {
      for (const { text, part } of secrets) {
        const found = await inspect(inspector, 'a.txt', text);
        assertReported(found, part);
        assert.deepEqual(found.content, bytesOf(text));
      }
    });

    it('in JSON, as a value, in a list, as a name, and written with escapes', async ({ inspector, secrets }) => {
      for (const { text, part } of secrets) {
        const escapes = Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
        for (const json of [{ a: { b: text } }, [[text]], { [text]: [1] }].map((value) => JSON.stringify(value)))
          assertReported(await inspect(inspector, 'a.json', json), part);
        assertReported(await inspect(inspector, 'a.json', `["${escapes}"]`), part);
      }
    });

    it('no text of common words', async ({ inspector }) => {
      const text = 'Send the key in the header: Authorization: Bearer <your token>. https://example.com/?key=…';
      assert.deepEqual((await inspect(inspector, 'a.md', text)).violations, []);
    });
  });

  describe('Facts show no secret', () => {
    it('that is each text of its own files', async ({ inspector, files, secrets }) => {
      for (const { text } of files)
        for (const { text: secret, part } of secrets) {
          const changed = JSON.stringify(withTexts(JSON.parse(text), secret));
          assertReported(await inspect(inspector, 'a.json', changed), part);
        }
    });
  });
}

function bytesPromises({ describe, it }: Inspections): void {
  describe('Does not read archives', () => {
    for (const name of ['a.zip', 'a.tar.gz', 'a.tgz', 'a.nupkg'])
      it(name, async ({ inspector, files, secrets }) => {
        const texts = [...files, ...secrets].map(({ text }) => bytesOf(text));
        for (const bytes of [EVERY_BYTE, ...texts]) {
          const found = await inspector.inspect(name as FileName, bytes);
          assert.deepEqual(found, { content: bytes, removed: [], violations: [] });
        }
      });
  });

  describe('Takes any bytes without failing, and leaves them as they are', () => {
    it('parts of its own files, and bytes that were changed', async ({ inspector, files }) => {
      for (const { text } of files) {
        const bytes = bytesOf(text);
        const step = Math.max(1, Math.floor(bytes.length / 100));
        for (let place = 0; place < bytes.length; place += step) {
          const changed = bytes.slice();
          changed[place] = (place * 31) % 256;
          for (const given of [bytes.slice(0, place), changed]) await inspector.inspect('a.json' as FileName, given);
        }
        assert.deepEqual(bytes, bytesOf(text));
      }
    });

    it('what it returns is no part of what it took', async ({ inspector, files }) => {
      const texts = ['x', ...files.map(({ text }) => text)];
      for (const text of texts)
        for (const name of ['a.txt', 'a.zip'] as FileName[]) {
          const bytes = new Uint8Array(bytesOf(text));
          const { content } = await inspector.inspect(name, bytes);
          const before = content.slice();
          bytes.fill(0);
          assert.deepEqual(content, before);
        }
    });
  });
}

function textPromises({ describe, it }: Inspections): void {
  describe('Texts in facts and places have at most 255 characters, details at most 400, all can be stored', () => {
    it('for long and odd texts in each place of its own files', async ({ inspector, files }) => {
      for (const { text } of files)
        for (const odd of ODD_TEXTS) {
          const value = withTexts(JSON.parse(text), odd);
          const found = await inspect(inspector, 'a.json', JSON.stringify(value));
          const details = found.violations.map(({ detail }) => detail);
          for (const one of textsIn([found.platform, found.removed, found.facts, found.violations]))
            assert.ok(
              one.length <= (details.includes(one) ? 400 : 255) && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(one),
              JSON.stringify(one),
            );
        }
    });

    it('of long names in the place of a fault', async ({ inspector }) => {
      const name = '\0\uD800'.repeat(1_000);
      const { violations } = await inspect(
        inspector,
        'a.json',
        JSON.stringify([[{ [name]: 1e300 }]]).replace('1e+300', '1e400'),
      );
      assert.ok(violations.every(({ place }) => place.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(place)));
      assert.equal(violations.length, 1);
    });
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function assertReported({ violations, facts }: FileInspection, part: string): void {
  const [found] = violations;
  assert.equal(found?.code, 'contains-secret');
  assert.ok(found.place !== '' && found.detail.includes(found.place));
  assert.ok(!JSON.stringify([violations, facts]).includes(part), 'the secret is in what is reported');
}

/** That the first was made from the other by leaving out members of objects. */
function assertPart(part: unknown, whole: unknown): void {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) {
    // The value of an emptied member may have been a text.
    if (JSON.stringify(part) !== '{}') assert.deepEqual(part, whole);
    return;
  }
  const names = Object.keys(part);
  assert.deepEqual(
    names,
    Object.keys(whole).filter((name) => names.includes(name)),
  );
  for (const name of names) assertPart(Reflect.get(part, name), Reflect.get(whole, name));
}

/** Returns a copy in which each text but the types and names of members is replaced. */
function withTexts(value: unknown, by: string, name = ''): unknown {
  if (typeof value === 'string') return name === 'type' ? value : by;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, by, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member, by, key)]));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
