#!/usr/bin/env node
import { runCli } from '../adapters/cli/index.js';
import { checkedConfig } from './checked-config.js';
import { ExitOnSignals } from './exit-on-signals.js';
import { version } from './version.js';

/** Whoever reads us may stop reading, as `head` does; a disk may be full. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`standard output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1;
});

const signals = new ExitOnSignals();

/** Each command loads only what it needs. The service stops at signals in a way of its own. */
const code = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version: version(),
  interruption: signals.interruption,
  serve: async () => {
    signals.leave();
    return (await import('./serve.js')).serve(await checkedConfig('service'));
  },
  open: async (missing) => (await import('./session.js')).openSession(await checkedConfig('command'), missing),
});
process.exitCode ||= code;
