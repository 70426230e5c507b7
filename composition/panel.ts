import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Container } from 'inversify';
import { clientAddress } from '../adapters/http/client-address.js';
import { requestNames } from '../adapters/http/request-id.js';
import { createPanelApp, type PanelOptions } from '../adapters/panel/index.js';
import type { Config } from './config.js';
import { AUDIT_TRAIL, DEVELOPER_KEYS, DEVELOPER_SESSIONS, MARKETPLACE } from './tokens.js';

type Observers = Required<Pick<PanelOptions, 'onError' | 'onAnswer'>>;

/** The developer panel, over the core of the container. */
export function newPanel(
  { publicUrl, trustedProxyHops }: Config,
  container: Container,
  observers: Observers,
): (request: IncomingMessage, response: ServerResponse) => unknown {
  return createPanelApp({
    ...observers,
    marketplace: container.get(MARKETPLACE),
    keys: container.get(DEVELOPER_KEYS),
    sessions: container.get(DEVELOPER_SESSIONS),
    audit: container.get(AUDIT_TRAIL),
    publicUrl,
    addressOf: (request) => clientAddress(request, trustedProxyHops),
    requestIdOf: requestNames(),
  }).callback();
}
