import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { UseCases } from '../../application/core.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { problemToTell } from '../edge/middleware/problem-documents.js';
import { Problem, problemText } from '../edge/problems/problem.js';
import { MAX_MISTAKES, newAgentServer } from './agent-server.js';
import { LineTransport } from './line-transport.js';
import { agentTools } from './tools.js';
import { requireParts } from '../../domain/options.js';

/** For whom an agent acts that has this process as its child. */
export interface StdioAgent {
  readonly verifier: ApiKeyVerifier;
  /** Shown to the verifier at each call, so that an agent ends with its key. */
  readonly key: string;
  /** Whether automations can be found by words. */
  readonly search: boolean;
  /** Called with every failure of the service. */
  readonly onError: (error: unknown) => void;
}

/** Serves the tools over standard input and output, and resolves when the agent has closed the input. */
export async function serveAgentOverStdio(marketplace: UseCases['marketplace'], agent: StdioAgent): Promise<void> {
  requireParts('serveAgentOverStdio', 'an agent', agent, ['verifier', 'onError']);
  const { verifier, key, search, onError } = agent;
  const tools = agentTools({ marketplace, search });
  const caller = async () => {
    const found = await verifier.verify(key);
    if (found === undefined) throw new Problem('invalid-token', 'The key is unknown, expired or revoked.');
    return found;
  };
  const problemOf = (error: unknown) => problemText(problemToTell(error, onError), '', '', MAX_MISTAKES);
  const transport = new LineTransport(process.stdin, process.stdout);
  const server = serveStdio(() => newAgentServer(tools, { caller, problemOf }), { transport, onerror: onError });
  await transport.ended;
  await server.close();
}
