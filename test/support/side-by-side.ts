import { randomInt } from 'node:crypto';
import { DeveloperKeys, Marketplace, OPERATOR } from '../../application/index.js';
import { Workplace } from './process.js';
import type { Repositories } from './repositories.js';
import { FAILURE, startService, type Reachable, type TestService, type TestServiceOptions } from './service.js';
import type { Server } from './servers.js';
import { TEST_CATEGORIES } from './storages.js';

/**
 * A service over each of these handles on one store; each look at `url` is one of them at random, so that another is
 * asked about what one answered.
 */
export async function startServices(
  handles: readonly Repositories[],
  options: Omit<TestServiceOptions, 'repositories'> = {},
): Promise<Reachable & Pick<TestService, 'close'>> {
  const services = await Promise.all(handles.map((repositories) => startService({ ...options, repositories })));
  const [first] = services;
  if (first === undefined) throw new Error('there is no store');
  return {
    get url() {
      return oneOf(services);
    },
    key: (...wanted) => first.key(...wanted),
    close: async () => {
      for (const service of services.toReversed()) await service.close();
    },
  };
}

/**
 * Two processes that serve one store; each look at `url` or `port` is one of them at random, so that another
 * is asked about what one answered. What a test does behind their backs it does through a client of its own; `now` is
 * the clock of that alone.
 */
export async function startTwoProcesses(
  { newSettings, join }: Server,
  { now }: Pick<TestServiceOptions, 'now'> = {},
): Promise<TestService> {
  const settings = { ...(await newSettings()), PANEL: 'off' };
  const place = await Workplace.open(settings);
  const processes = await Promise.all([place.serve(), place.serve()]);
  const repositories = join(settings);
  await repositories.categories.save(TEST_CATEGORIES);
  const keys = new DeveloperKeys(repositories.keys);
  return {
    get url() {
      return oneOf(processes);
    },
    get port() {
      return Number(new URL(oneOf(processes)).port);
    },
    get errors() {
      return processes.flatMap(({ stdout }) => stdout.filter((line) => FAILURE.test(line)));
    },
    marketplace: new Marketplace(repositories.automations, repositories.categories, now && { now }),
    keys,
    repositories,
    key: async (developer = 'ada', scopes, lifetime) =>
      (await keys.issue(OPERATOR, { developer, scopes, lifetime })).text,
    close: async () => {
      await repositories.close();
      await place.clear();
    },
  };
}

/** By turns would send every second request to the same one, such as all that repeat another. */
function oneOf(services: readonly { readonly url: string }[]): string {
  return services[randomInt(services.length)]?.url ?? '';
}
