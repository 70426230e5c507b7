/**
 * The program: the service, and the commands of its operators. The package `automation-marketplace-server` runs it.
 * @module automation-marketplace-server
 */
import { runCli } from '../adapters/cli/index.js';
import { VERSION } from '../adapters/api/documents/version.js';
import { programName, readEnvironment } from './config/environment.js';
import { ALL_SETTINGS } from './config/settings.js';
import { ExitOnSignals } from './program/exit-on-signals.js';

/**
 * Runs the command that these words name, such as `['serve']`. The process should be its own: it handles signals, and
 * sets the exit code, to which it also resolves. Each command loads only what it needs.
 */
export async function main(argv: readonly string[]): Promise<number> {
  reportLostOutput();
  const signals = new ExitOnSignals();
  const code = await runCli(argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    name: programName(),
    version: VERSION,
    settings: ALL_SETTINGS,
    interruption: signals.interruption,
    serve: async (flags) => {
      const given = readEnvironment(flags);
      signals.leave();
      return (await import('./program/run-service.js')).runService(given);
    },
    serveAgent: async (key) => (await import('./program/agent.js')).serveAgent(key, readEnvironment()),
    keys: async () => (await import('./config/config.js')).readKeys(readEnvironment().environment),
    restore: async (file) => (await import('./program/store.js')).restoreBackup(file, readEnvironment()),
    open: async (ifMissing) => (await import('./program/session.js')).openSession(ifMissing, readEnvironment()),
  });
  process.exitCode ||= code;
  return Number(process.exitCode);
}

/** The reader of our output has stopped reading, as `head` does, or its terminal is closed. */
const READER_GONE = ['EPIPE', 'EIO'];

/** Fails if a disk is full; not if the reader of our output is gone. */
function reportLostOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (READER_GONE.includes(error.code ?? '')) return;
    process.stderr.write(`standard output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!READER_GONE.includes(error.code ?? '')) process.exitCode = 1;
  });
}
