/**
 * The marketplace over HTTP, without a server of its own: `createHttpApp(marketplace, options).callback()` goes into any.
 * @module automation-marketplace/http
 */
import Koa from 'koa';
import type { Marketplace } from '../../application/marketplace.js';
import { answers } from './answers.js';
import { clientAddress } from './client-address.js';
import { credentials } from './credentials.js';
import { endpoints, routing } from './endpoints.js';
import { lateFailures, problemDocuments } from './errors.js';
import type { Context, Exchange, HttpOptions } from './exchange.js';
import { checkedService } from './options.js';
import { failedAuthentications, rateLimits } from './rate-limits.js';
import { replies } from './reply.js';
import { bases } from './target.js';
import { wireChecks } from './wire.js';

export type { Answered, HttpOptions, RateLimits } from './exchange.js';

/**
 * The four endpoints as a Koa application; `.callback()` mounts it in any server. The stack is the order in which a request is
 * checked, cheap things first, and nobody learns of a route without a key. @throws TypeError when the marketplace or an option is not as it must be.
 */
export function createHttpApp(marketplace: Marketplace, options: HttpOptions): Koa {
  const service = checkedService(marketplace, options);
  const addressOf = ({ req }: Context) => clientAddress(req, service.trustedProxyHops);
  const app = new Koa<Exchange>();
  app.use(answers(service.onAnswer));
  app.use(replies());
  app.use(problemDocuments(service));
  app.use(wireChecks());
  app.use(bases());
  app.use(credentials(service.verifier, addressOf, failedAuthentications(service.rateLimits, addressOf)));
  app.use(rateLimits(service.rateLimits));
  app.use(routing(endpoints(service)));
  app.on('error', lateFailures(service.onError));
  return app;
}
