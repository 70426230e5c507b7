import type { Container } from 'inversify';
import type { IncomingMessage } from 'node:http';
import { traceparentOf } from '../adapters/http/answers.js';
import { clientAddress } from '../adapters/http/client-address.js';
import type { Answered } from '../adapters/http/index.js';
import { requestNames } from '../adapters/http/request-id.js';
import { createPanel, type DeveloperPanel } from '../adapters/panel/index.js';
import type { Config } from './config.js';
import { AUDIT_TRAIL, DEVELOPER_KEYS, DEVELOPER_SESSIONS, MARKETPLACE } from './tokens.js';

interface Observers {
  readonly onError: (error: unknown, requestId: string) => void;
  readonly onAnswer: (answered: Answered) => void;
  readonly onShed: (answered: Answered) => void;
  /** Told of every request of somebody who is signed in. */
  readonly onMember: (request: IncomingMessage, developer: string) => void;
}

/** The developer panel, over the core of the container. */
export function newPanel({ publicUrl, trustedProxyHops }: Config, container: Container, { onError, onAnswer, onShed, onMember }: Observers): DeveloperPanel {
  return createPanel({
    onError,
    onShed,
    onAnswer: ({ developerId, ...answered }, request) => {
      if (developerId !== undefined) onMember(request, developerId);
      onAnswer({ ...answered, traceparent: traceparentOf(request) });
    },
    marketplace: container.get(MARKETPLACE),
    keys: container.get(DEVELOPER_KEYS),
    sessions: container.get(DEVELOPER_SESSIONS),
    audit: container.get(AUDIT_TRAIL),
    publicUrl,
    addressOf: (request) => clientAddress(request, trustedProxyHops),
    requestIdOf: requestNames(),
  });
}
