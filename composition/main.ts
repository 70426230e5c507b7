#!/usr/bin/env node
import { runCli } from '../adapters/cli/index.js';
import { ExitOnSignals } from './service/exit-on-signals.js';
import { version } from '../adapters/http/documents/version.js';

/** The reader of our output may stop reading, as `head` does; a disk may be full. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`standard output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = 1;
});

const signals = new ExitOnSignals();

/** Each command loads only what it needs. The service handles signals itself. */
const code = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version: version(),
  interruption: signals.interruption,
  serve: async () => {
    signals.leave();
    return (await import('./service/run-service.js')).runService();
  },
  open: async (ifMissing) => (await import('./service/open-session.js')).openSession(ifMissing),
});
process.exitCode ||= code;
