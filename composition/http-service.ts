import type { IncomingMessage, Server } from 'node:http';
import type { Logger } from 'pino';
import { Admission } from '../adapters/http/admission.js';
import { clientAddress } from '../adapters/http/client-address.js';
import type { Answered } from '../adapters/http/index.js';
import { Lines } from '../adapters/http/lines.js';
import { createOperationalApp } from '../adapters/http/operational.js';
import { METADATA_PATH } from '../adapters/http/resource-metadata.js';
import { createHttpServer } from '../adapters/http/server.js';
import { Batches } from '../domain/batches.js';
import type { Config } from './config.js';
import type { Composition } from './container.js';
import { frontDoor } from './front-door.js';
import { httpModule } from './http-module.js';
import { logAnswers, logSheds } from './log.js';
import { Metrics } from './metrics.js';
import { onceASecond } from './once-a-second.js';
import { newPanel } from './panel.js';
import { readTls } from './tls.js';
import { AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, API_KEY_REPOSITORY, HTTP_APP } from './tokens.js';
import { version } from './version.js';

/** Everything that the service answers, on one server that does not listen yet. */
export function newHttpService(config: Config, { container }: Pick<Composition, 'container'>, log: Logger, ready: () => Promise<boolean>): Server {
  const admission = new Admission();
  const metrics = new Metrics({
    underWay: () => admission.underWay,
    automationsOnSale: onceASecond(() => container.get(AUTOMATION_REPOSITORY).countByCategory()),
  });
  container.onActivation(AUTOMATION_REPOSITORY, (_context, repository) => metrics.measured(repository, 'automations'));
  container.onActivation(CATEGORY_REPOSITORY, (_context, repository) => metrics.measured(repository, 'categories'));
  container.onActivation(API_KEY_REPOSITORY, (_context, repository) => metrics.measured(repository, 'api-keys'));

  /** Those that come at once share what is so after they came: to write it all down takes as long as many answers. */
  const scrapes = new Batches((asked: readonly undefined[]) => metrics.text().then((text) => asked.map(() => text)), Infinity);
  const logged = logAnswers(log);
  const loggedShed = logSheds(log);
  const observers = {
    onAnswer: (answered: Answered) => {
      metrics.countAnswer(answered);
      logged(answered);
    },
    onError: (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed'),
  };
  const onShed = (answered: Answered) => {
    metrics.countShed(answered);
    loggedShed();
  };
  const { currency, publicUrl, accessTokens, metricsToken, rateLimits, trustedProxyHops, tls } = config;
  const resourceMetadata = accessTokens && publicUrl ? `${publicUrl}${METADATA_PATH}` : '';
  container.load(httpModule({ ...observers, publicUrl, resourceMetadata, rateLimits, trustedProxyHops }));
  const operational = createOperationalApp({
    ...observers,
    currency,
    publicUrl,
    version: version(),
    ...(accessTokens && { accessTokens }),
    ready,
    metrics: { token: metricsToken, text: () => scrapes.ask(undefined) },
  });
  const lines = new Lines((request) => clientAddress(request, trustedProxyHops));
  const onMember = ({ headers }: IncomingMessage, developer: string) => lines.note(headers.cookie ?? '', () => developer);
  const enter = frontDoor(admission, {
    lines,
    api: container.get(HTTP_APP).callback(),
    operational: operational.callback(),
    panel: config.panel ? newPanel(config, container, { ...observers, onShed, onMember }) : undefined,
    onShed,
    onAnswer: observers.onAnswer,
  });
  return createHttpServer(enter, tls && readTls(tls), observers.onAnswer);
}
