import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { UseCases } from '../../application/core.js';
import type { Caller } from '../../domain/access.js';
import { outcomeOf } from '../http/middleware/problem-documents.js';
import { problemText } from '../http/problems/problem.js';
import { newAgentServer } from './agent-server.js';
import { agentTools } from './tools.js';

/** For whom an agent acts that has this process as its child. */
export interface StdioAgent {
  /** Asked at each call, so that a key that is revoked ends it. */
  readonly caller: () => Promise<Caller>;
  /** Whether automations can be found by words. Default: true. */
  readonly search?: boolean | undefined;
  /** Called with every failure of the service. */
  readonly onError: (error: unknown) => void;
}

/** Serves the tools over standard input and output, and resolves when the agent has closed the input. */
export async function serveAgentOverStdio(marketplace: UseCases['marketplace'], agent: StdioAgent): Promise<void> {
  const tools = agentTools({ marketplace, search: agent.search ?? true });
  const problemOf = (error: unknown) => {
    const { problem, isFailure } = outcomeOf(error);
    if (isFailure) agent.onError(error);
    return problemText(problem, '', '');
  };
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const server = serveStdio(() => newAgentServer(tools, { caller: agent.caller, problemOf }), {
    maxSubscriptions: 0,
    onerror: agent.onError,
  });
  await ended;
  await server.close();
}
