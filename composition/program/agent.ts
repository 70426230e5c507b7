import { serveAgentOverStdio } from '../../adapters/mcp/index.js';
import type { Given } from '../config/environment.js';
import { openSession } from './session.js';

/** Serves the tools for agents over standard input and output, as the owner of the key. @throws Error for people. */
export async function serveAgent(key: string, given: Given): Promise<void> {
  const session = await openSession('refuse', given);
  try {
    const { marketplace, search, verifier } = session;
    if ((await verifier.verify(key)) === undefined)
      throw new Error('MARKETPLACE_KEY is malformed, unknown, expired or revoked');
    await serveAgentOverStdio(marketplace, { verifier, key, search, onError: printError });
  } finally {
    await session.close();
  }
}

/** Standard output belongs to the agent. */
function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
