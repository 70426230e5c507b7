import { mutantsOf, type Mutant } from './mutant.js';

const BYTES = "Returns the bytes of an automation's file as they went in";
const TOGETHER = 'They are stored, replaced and removed together with the automation';
const REVISION = 'A revision with `fileContent` replaces them';
const WITHDRAWAL = 'A withdrawal removes them for good';
const PAGES = 'Lists and searches do not read them';

const KEEP = 'if (content) this.#files.set(id, new Uint8Array(content));';
const RETURN = 'return content && new Uint8Array(content);';
const REMOVE = 'if (entry.withdrawn || entry.file === null) this.#files.delete(entry.id);';
const REPLACE = 'this.#replace({ ...entryOf(automation), id, developerId, createdAt });';

const repository = mutantsOf('automations', 'adapters/in-memory/automation-repository.js', {
  [BYTES]: [
    ['keeps the bytes that it was given', KEEP, 'if (content) this.#files.set(id, content);'],
    ['returns its own bytes', RETURN, 'return content;'],
    ['cuts files to 64 KiB', KEEP, 'if (content) this.#files.set(id, new Uint8Array(content.slice(0, 65_536)));'],
    ['keeps bytes as text', KEEP, 'if (content) this.#files.set(id, Buffer.from(Buffer.from(content).toString()));'],
    [
      'keeps all of the list of which a file is a part',
      KEEP,
      'if (content) this.#files.set(id, new Uint8Array(content.buffer));',
    ],
    ['keeps one file', KEEP, `if (content) this.#files.clear(); ${KEEP}`],
  ],
  [TOGETHER]: [
    [
      'keeps the bytes of what is not stored',
      'for (const insert of inserts) this.#insert(insert);',
      'for (const insert of inserts) this.#insert(insert); ' +
        'for (const { automation, fileContent } of offers) this.#keepFile(automation.id, fileContent);',
    ],
    [
      'keeps the bytes of a revision that is a conflict',
      "if (entry === undefined || entry.withdrawn) return { outcome: 'unknown' };",
      "if (entry === undefined || entry.withdrawn) return { outcome: 'unknown' }; " +
        'this.#keepFile(automation.id, fileContent);',
    ],
    [
      'keeps the bytes of an unknown automation',
      'const entry = this.#entryOf(automation.id);',
      'const entry = this.#entryOf(automation.id); if (!entry) this.#keepFile(automation.id, fileContent);',
    ],
  ],
  [REVISION]: [
    ['keeps the bytes of a file that was removed', REMOVE, 'if (entry.withdrawn) this.#files.delete(entry.id);'],
    ['removes the bytes with each revision', REMOVE, 'this.#files.delete(entry.id);'],
    [
      'keeps the first bytes',
      KEEP,
      'if (content && !this.#files.has(id)) this.#files.set(id, new Uint8Array(content));',
    ],
    ['stores no bytes where there were none', REPLACE, `if (!this.#files.has(id)) fileContent = undefined; ${REPLACE}`],
  ],
  [WITHDRAWAL]: [
    ['keeps the bytes', REMOVE, 'if (entry.file === null) this.#files.delete(entry.id);'],
    ['removes the bytes of all', REMOVE, 'if (entry.withdrawn || entry.file === null) this.#files.clear();'],
  ],
  [PAGES]: [['keeps 200 files at most', KEEP, `if (this.#files.size < 200) { ${KEEP} }`]],
});

const entries = mutantsOf('automations', 'adapters/in-memory/entries.js', {
  [BYTES]: [
    ['forgets what the file is', 'file: file && JSON.stringify(file),', 'file: null,'],
    [
      'forgets the facts of a file',
      'file: file && JSON.stringify(file),',
      'file: file && JSON.stringify({ ...file, facts: undefined }),',
    ],
    [
      'cuts names to 64 code units',
      'file: file && JSON.stringify(file),',
      'file: file && JSON.stringify({ ...file, name: file.name.slice(0, 64) }),',
    ],
  ],
});

const plan = mutantsOf('automations', 'domain/add-plan.js', {
  [TOGETHER]: [['forgets the bytes of an offer that loses its key', '...(fileContent && { fileContent }),', '']],
});

const archive = mutantsOf('archive', 'adapters/in-memory/entries.js', {
  'Returns the automation, also a withdrawn one': [
    [
      'forgets the file of what was withdrawn',
      'return { ...entry, withdrawn: {',
      'return { ...entry, file: null, withdrawn: {',
    ],
  ],
});

export const AUTOMATION_FILES: readonly Mutant[] = [...repository, ...entries, ...plan, ...archive];
