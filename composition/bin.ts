#!/usr/bin/env node
const OLDEST = [20, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  // The bundle of main.ts. Not before: an older Node cannot load it.
  const bundle = new URL('../program/main.js', import.meta.url);
  const { main } = (await import(bundle.href)) as typeof import('./main.js');
  await main(process.argv.slice(2));
} else {
  console.error(`This program needs Node ${OLDEST.join('.')} or later; this is Node ${process.versions.node}.`);
  process.exitCode = 1;
}
