import { expect } from 'chai';
import { checkFileName, checkFileSize, mediaTypeOf, parseFileName, type FileName } from '../../../domain/file.js';
import { checking } from './failure.js';

const check = (name: unknown) => checking((report) => checkFileName(name, report));
const codesOf = (name: unknown) => check(name).broken.map(({ code }) => code);

describe('The name of a file', () => {
  for (const name of [
    'a.json',
    'Lead Bot – Übersicht.JSON',
    'a.b.c.tar.gz',
    'x..yml',
    '上海.zip',
    "it's $5 & <b>.txt",
    `${'🙂'.repeat(95)}.json`,
  ])
    it(`may be ${JSON.stringify(name)}`, () => {
      expect(check(` ${name} `)).to.deep.equal({ value: name, broken: [] });
      expect(parseFileName(name)).to.equal(name);
    });

  for (const [name, code] of [
    [undefined, 'required'],
    [7, 'wrong-type'],
    ['', 'too-short'],
    [' ', 'too-short'],
    [`${'a'.repeat(96)}.json`, 'too-long'],
    ['../a.json', 'invalid-format'],
    ['a/b.json', 'invalid-format'],
    ['a\\b.json', 'invalid-format'],
    ['.json', 'invalid-format'],
    ['.a.json', 'invalid-format'],
    ['a\u0000.json', 'invalid-text'],
    ['a\n.json', 'invalid-text'],
    ['a\u202Enosj.json', 'invalid-text'],
    ['a', 'unknown-value'],
    ['json', 'unknown-value'],
    ['a.json.exe', 'unknown-value'],
    ['a.gz', 'unknown-value'],
    ['a.html', 'unknown-value'],
    ['a.svg', 'unknown-value'],
    ['a.json.', 'unknown-value'],
  ] as const)
    it(`may not be ${JSON.stringify([name]).slice(0, 30)}: ${code}`, () => {
      expect(codesOf(name)).to.deep.equal([code]);
      expect(() => parseFileName(name)).to.throw('the file is not valid');
    });

  it('decides the media type by its extension alone, which is no type of a script, XML or HTML', () => {
    const types = {
      'application/json': ['a.json', 'a.zip.JSON'],
      'application/zip': ['a.zip', 'a.nupkg'],
      'application/gzip': ['a.tar.gz', 'a.tgz', 'a.json.TAR.GZ'],
      'text/plain': ['yaml', 'yml', 'xml', 'txt', 'md', 'js', 'ts', 'py', 'sh', 'bpmn'].map((one) => `a.${one}`),
    };
    for (const [type, names] of Object.entries(types))
      for (const name of names) expect(mediaTypeOf(name as FileName), name).to.equal(type);
  });
});

describe('The size of a file', () => {
  const sizeOf = (bytes: number) =>
    checking((report) => checkFileSize(bytes, report)).broken.map(({ detail }) => detail);

  it('is 1 byte to 1 MiB', () => {
    expect([1, 1_048_576].flatMap(sizeOf)).to.deep.equal([]);
    const detail = 'must have 1 to 1,048,576 bytes';
    expect([0, 1_048_577].flatMap(sizeOf)).to.deep.equal([detail, detail]);
  });
});
