/** Writes the declarations of every entry to docs/api. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { declarationsOfEntries, reportOf } from './declarations.js';
import { ENTRIES } from './packages.js';
import { ROOT } from './readme.js';

const FOLDER = new URL('docs/api/', ROOT);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const declarations = declarationsOfEntries();
for (const entry of ENTRIES) writeFileSync(reportOf(entry), declarations.get(entry.name) ?? '');
