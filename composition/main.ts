#!/usr/bin/env node
import { runCli } from '../adapters/cli/index.js';
import { readConfig, type Config } from './config.js';
import { serve } from './serve.js';
import { compose, start } from './storage.js';
import { CATEGORY_REPOSITORY, DEVELOPER_KEYS, MARKETPLACE } from './tokens.js';
import { version } from './version.js';

/** Whoever reads us may stop reading, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  version: version(),
  serve: async () => serve(readConfig()),
  open: async () => openSession(readConfig()),
});

async function openSession(config: Config) {
  if (config.storage === 'memory')
    throw new Error('STORAGE is memory, which is gone with the process that has it; commands need a storage that stays.');
  const composition = await compose(config);
  const { container, store } = composition;
  try {
    await start(composition, config);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    marketplace: container.get(MARKETPLACE),
    keys: container.get(DEVELOPER_KEYS),
    categories: container.get(CATEGORY_REPOSITORY),
    close: async () => store.close(),
  };
}
