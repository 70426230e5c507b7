import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import type { HttpOptions } from '../../adapters/api/index.js';
import { requireOptions } from '../../domain/options.js';
import { CORE, HTTP_APP } from '../tokens.js';

/**
 * Loads Koa, and returns the module of the four endpoints, over the core that is bound. Rejects with a TypeError for an
 * unknown option.
 */
export async function httpModule(options: Omit<HttpOptions, 'verifier'> = {}): Promise<ContainerModule> {
  const { createHttpApp } = await import('../../adapters/api/index.js');
  const { HTTP_OPTIONS } = await import('../../adapters/api/options.js');
  const { verifier: _bound, ...known } = HTTP_OPTIONS;
  requireOptions('httpModule', options, known);
  return new ContainerModule(({ bind }) => {
    bind(HTTP_APP)
      .toResolvedValue(
        ({ marketplace, verifier, sessions }) => {
          const ofHost = options.authenticate && { sessions };
          return createHttpApp(marketplace, { verifier, ...ofHost, ...options });
        },
        [CORE],
      )
      .inSingletonScope();
  });
}
