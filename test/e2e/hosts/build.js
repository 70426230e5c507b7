/** Compiles the tests of this folder into `dist/`, and lets them find the packages that are installed here. */
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../..');
const FOUND = join(ROOT, 'dist/test/e2e/hosts/node_modules');

const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', HERE], { stdio: 'inherit' });
rmSync(FOUND, { force: true });
symlinkSync(join(HERE, 'node_modules'), FOUND, 'junction');
