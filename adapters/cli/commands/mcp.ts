import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../program.js';
import type { Host } from '../session.js';

const DETAILS = `
An agent starts it and talks to it. It acts as the owner of the key in MARKETPLACE_KEY, or in the
file that MARKETPLACE_KEY_FILE names, on the configured store. It ends when its input ends.`;

export function addMcp(program: Command, host: Host): void {
  program
    .command('mcp')
    .description('serves the tools for agents over standard input and output')
    .addHelpText('after', DETAILS)
    .action(async () => {
      const { key } = await host.keys();
      if (key === '') throw new UsageError('a key is missing; set MARKETPLACE_KEY');
      await host.serveAgent(key);
    });
}
