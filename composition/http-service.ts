import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Admission } from '../adapters/http/admission.js';
import type { Answered } from '../adapters/http/index.js';
import { createOperationalApp } from '../adapters/http/operational.js';
import { PROBLEMS } from '../adapters/http/problems.js';
import { METADATA_PATH } from '../adapters/http/resource-metadata.js';
import { createHttpServer } from '../adapters/http/server.js';
import { shedding } from '../adapters/http/shed.js';
import { SlowLane } from '../adapters/http/slow-lane.js';
import { isUnder, isUnderBase } from '../adapters/http/target.js';
import { hasBodyToCome, isWellFormed } from '../adapters/http/wire.js';
import type { Config } from './config.js';
import { httpModule } from './http-module.js';
import { logAnswers, logSheds } from './log.js';
import { Metrics } from './metrics.js';
import { newPanel } from './panel.js';
import type { Composition } from './storage.js';
import { readTls } from './tls.js';
import { AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, API_KEY_REPOSITORY, HTTP_APP } from './tokens.js';
import { version } from './version.js';

/** Everything that the service answers, on one server that does not listen yet. */
export function newHttpService(config: Config, { container }: Composition, log: Logger, ready: () => Promise<boolean>): Server {
  const admission = new Admission();
  const metrics = new Metrics({
    underWay: () => admission.underWay,
    automationsOnSale: () => container.get(AUTOMATION_REPOSITORY).countByCategory(),
  });
  container.onActivation(AUTOMATION_REPOSITORY, (_context, repository) => metrics.measured(repository, 'automations'));
  container.onActivation(CATEGORY_REPOSITORY, (_context, repository) => metrics.measured(repository, 'categories'));
  container.onActivation(API_KEY_REPOSITORY, (_context, repository) => metrics.measured(repository, 'api-keys'));

  const { currency, publicUrl, accessTokens, metricsToken, rateLimits, trustedProxyHops, tls } = config;
  const resourceMetadata = accessTokens && publicUrl ? `${publicUrl}${METADATA_PATH}` : '';
  const logged = logAnswers(log);
  const onAnswer = (answered: Answered) => {
    metrics.countAnswer(answered);
    logged(answered);
  };
  const onError = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed');
  const onApiAnswer = (answered: Answered) => {
    admission.isOver();
    onAnswer(answered);
  };
  container.load(httpModule({ publicUrl, resourceMetadata, rateLimits, trustedProxyHops, onError, onAnswer: onApiAnswer }));
  const api = container.get(HTTP_APP).callback();
  const operational = createOperationalApp({
    currency,
    publicUrl,
    version: version(),
    ...(accessTokens && { accessTokens }),
    ready,
    onError,
    onAnswer,
    metrics: { token: metricsToken, text: () => metrics.text() },
  }).callback();
  const panel = config.panel ? newPanel(config, container, { onError, onAnswer }) : undefined;
  const logShed = logSheds(log);
  const shed = shedding('', (answered) => {
    metrics.countShed();
    metrics.countAnswer(answered);
    logShed();
  });
  const slowLane = new SlowLane();
  const enterApi = (request: IncomingMessage, response: ServerResponse) => {
    const credential = request.headers.authorization ?? '';
    const answer = async () => {
      await api(request, response);
      if (response.statusCode === PROBLEMS['quota-exceeded'].status) slowLane.noteOver(credential);
    };
    const serve = () => {
      if (response.destroyed) admission.isOver();
      else void answer();
      if (hasBodyToCome(request)) admission.untilSent(request, response);
    };
    slowLane.enter(credential, () => admission.enter(credential, serve, () => shed(request, response)));
  };
  return createHttpServer(
    (request, response) => {
      const target = request.url ?? '';
      if (panel !== undefined && isUnder('/panel', target) && isWellFormed(request)) void panel(request, response);
      else if (!isUnderBase(target)) void operational(request, response);
      else enterApi(request, response);
    },
    tls && readTls(tls),
  );
}
