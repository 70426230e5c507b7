import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import {
  changedFields,
  contentText,
  draftOf,
  newAutomation,
  reviseAutomation,
  type AutomationId,
  type UncheckedDraft,
} from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import type { FileViolationCode } from '../../../domain/file-facts.js';
import { MAX_FILE_BYTES, parseFileName, type AutomationFile, type InspectedFile } from '../../../domain/file.js';
import { parseImportedAutomation } from '../../../domain/imported-automation.js';
import { brokenBy, failureOf } from './failure.js';

const MARKET = { currency: parseCurrency('USD'), category: newCategory({ id: 'tools', name: 'Tools' }) };
const ORIGIN = {
  id: '01900000-0000-7000-8000-000000000001' as AutomationId,
  developerId: parseDeveloperId('ada'),
  createdAt: new Date(0),
};
const FREE = { title: 'Sorts mail', description: 'Every morning.', price: 0, categoryId: 'tools' };
const SENT = { name: 'sort.json', bytes: new Uint8Array([123, 125]) };
const STORED: AutomationFile = { name: parseFileName('sort.json'), size: 2, sha256: 'a'.repeat(64), platform: 'n8n' };
const OTHER: AutomationFile = { ...STORED, sha256: 'b'.repeat(64) };

function made(draft: UncheckedDraft = {}, file: InspectedFile | null = { file: STORED, violations: [] }) {
  return newAutomation({ ...FREE, file: SENT, ...draft }, { ...MARKET, ...(file && { file }) }, ORIGIN);
}

function revised(changes: UncheckedDraft, file?: AutomationFile) {
  const context = { ...MARKET, ...(file && { file: { file, violations: [] } }) };
  return reviseAutomation(made(), changes, context, new Date(5));
}

describe('a new automation with a file', () => {
  it('has the file as it was inspected; missing, null and blank is none', () => {
    expect(made().file).to.equal(STORED);
    for (const none of [undefined, null, '']) expect(made({ file: none }, null).file).to.equal(null);
  });

  it('costs nothing', async () => {
    expect(await brokenBy(() => made({ price: 0.01 }))).to.deep.equal(['file: not-free']);
    expect(await brokenBy(() => made({ price: 'x' }))).to.deep.equal(['price: wrong-type']);
  });

  it('is refused where no file is taken, with a sentence', async () => {
    const { fields } = await failureOf(() => made({}, null));
    const detail = 'must be missing, since this marketplace takes no files';
    expect(fields).to.deep.equal([{ field: 'file', code: 'unknown-value', detail }]);
  });

  for (const [what, file, expected] of [
    ['a text', 'sort.json', ['wrong-type']],
    ['a list', [1], ['wrong-type']],
    ['no bytes', { name: 'sort.json' }, ['wrong-type']],
    ['bytes that are a list', { name: 'sort.json', bytes: [1] }, ['wrong-type']],
    ['no name', { bytes: SENT.bytes }, ['required']],
    ['a name that is a number', { ...SENT, name: 7 }, ['wrong-type']],
    ['a name with a folder', { ...SENT, name: '../sort.json' }, ['invalid-format']],
    ['a name that begins with a dot', { ...SENT, name: '.json' }, ['invalid-format']],
    ['the name of a program', { ...SENT, name: 'sort.exe' }, ['unknown-value']],
    ['no byte', { ...SENT, bytes: new Uint8Array() }, ['out-of-range']],
    ['a byte too many', { ...SENT, bytes: new Uint8Array(MAX_FILE_BYTES + 1) }, ['out-of-range']],
    ['both wrong', { name: 'x', bytes: new Uint8Array() }, ['out-of-range', 'unknown-value']],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const broken = expected.map((code) => `file: ${code}`);
      expect(await brokenBy(() => made({ file }, null))).to.deep.equal(broken);
    });

  for (const [violation, code] of [
    ['contains-secret', 'contains-secret'],
    ['inexact-number', 'invalid-format'],
    ['duplicate-key', 'invalid-format'],
    ['too-deep', 'invalid-format'],
    ['invalid-json', 'invalid-format'],
    ['invalid-text', 'invalid-text'],
  ] as readonly (readonly [FileViolationCode, string])[])
    it(`is refused for what its inspection found: ${violation}`, async () => {
      const inspected = { file: STORED, violations: [{ code: violation, place: '/nodes/0', detail: 'must be safe' }] };
      expect(await brokenBy(() => made({}, inspected))).to.deep.equal([`file: ${code}`]);
    });
});

describe('a revision of an automation with a file', () => {
  it('keeps the file when it names none', () => {
    const automation = revised({ title: 'x', file: undefined });
    expect(automation.file).to.equal(STORED);
    expect(changedFields(made(), automation)).to.deep.equal(['title']);
  });

  it('replaces and removes it', () => {
    const replaced = revised({ file: SENT }, OTHER);
    expect([replaced.file, changedFields(made(), replaced)]).to.deep.equal([OTHER, ['file']]);
    const removed = revised({ file: null });
    expect([removed.file, changedFields(made(), removed)]).to.deep.equal([null, ['file']]);
  });

  it('changes nothing with the same name and the same content, and the file with another name', () => {
    const automation = made();
    const again = { ...MARKET, file: { file: { ...STORED }, violations: [] } };
    expect(reviseAutomation(automation, { file: SENT }, again, new Date(5))).to.equal(automation);
    expect(
      changedFields(automation, revised({ file: SENT }, { ...STORED, name: parseFileName('x.json') })),
    ).to.deep.equal(['file']);
  });

  it('raises the price only when it removes the file', async () => {
    expect(await brokenBy(() => revised({ price: 1 }))).to.deep.equal(['file: not-free']);
    expect(revised({ price: 1, file: null })).to.deep.include({ file: null });
  });
});

describe('the content of an automation with a file', () => {
  it('is another with another name, another content, and none', () => {
    const renamed = { ...STORED, name: parseFileName('x.json') };
    const files = [STORED, OTHER, renamed].map((file) => made({}, { file, violations: [] }));
    expect(new Set([...files, made({ file: null })].map((one) => contentText(one)))).to.have.property('size', 4);
  });

  it('has the hash of what was sent, if that is known', () => {
    expect(contentText(made(), OTHER.sha256)).to.equal(contentText(made({}, { file: OTHER, violations: [] })));
    expect(contentText(made(), STORED.sha256)).to.equal(contentText(made()));
  });

  it('has the file in the draft that the rules of a host get', () => {
    expect(draftOf(made())).to.deep.equal({ ...FREE, url: null, license: null, file: STORED });
  });

  it('comes from another store with its file', () => {
    const { id, developerId } = ORIGIN;
    const from = { ...FREE, id, developerId, file: SENT, currency: 'USD', createdAt: '2026-01-31T12:00:00.007Z' };
    const context = { ...MARKET, file: { file: STORED, violations: [] } };
    expect(parseImportedAutomation(from, context).file).to.equal(STORED);
  });
});
