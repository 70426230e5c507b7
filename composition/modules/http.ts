import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { HttpOptions } from '../../adapters/http/index.js';
import { API_KEY_VERIFIER, HTTP_APP, MARKETPLACE } from '../tokens.js';

/** Loads Koa, and returns the module of the four endpoints, over the marketplace and the verifier that are bound. */
export async function httpModule(options: Omit<HttpOptions, 'verifier'> = {}): Promise<ContainerModule> {
  const { createHttpApp } = await import('../../adapters/http/index.js');
  return new ContainerModule(({ bind }) => {
    bind(HTTP_APP)
      .toResolvedValue(
        (marketplace, verifier) => createHttpApp(marketplace, { ...options, verifier }),
        [MARKETPLACE, API_KEY_VERIFIER],
      )
      .inSingletonScope();
  });
}
