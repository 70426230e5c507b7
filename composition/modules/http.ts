import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { createHttpApp, type HttpOptions } from '../../adapters/http/index.js';
import { API_KEY_VERIFIER, HTTP_APP, MARKETPLACE } from '../tokens.js';

/** The four endpoints as a Koa application, over the marketplace and the verifier that are bound. */
export function httpModule(options: Omit<HttpOptions, 'verifier'> = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(HTTP_APP)
      .toResolvedValue(
        (marketplace, verifier) => createHttpApp(marketplace, { ...options, verifier }),
        [MARKETPLACE, API_KEY_VERIFIER],
      )
      .inSingletonScope();
  });
}
