import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzz } from '../../integration/http/hostile/fuzz.js';
import { ROWS as HOSTILE } from '../../integration/http/hostile/rows.js';
import { shuffled } from '../../integration/http/hostile/shuffled.js';
import { wireFuzz } from '../../integration/http/hostile/wire-fuzz.js';
import { revokeUnderLoad, rotateUnderLoad } from '../../support/service/key-ends.js';
import { killRounds } from '../../support/service/kill-rounds.js';
import { moves } from '../../support/service/moving.js';
import { lifetimes } from '../../support/service/lifetime.js';
import { mismatches, replays, scopes } from '../../support/service/replay.js';
import { races, racesOverHttp } from '../../support/service/same-id.js';
import { creates, countIn, duplicates, revocation } from '../../support/service/two-processes.js';
import { unkept, unkeptAfterFaults } from '../../support/service/unkept.js';
import { Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { overSqlite, type Repositories } from '../../support/repositories.js';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { hasMongo } from '../../support/mongod.js';
import { newMongoSettings } from '../../support/mongo-storage.js';
import { newPostgresSettings } from '../../support/postgres-storage.js';
import { SETTINGS } from '../../support/servers.js';
import { worstBodies } from './bodies.js';
import { canaries, logInjection } from './canaries.js';
import { BY_NPM, deploys, idleAtShutdown, lastResort, probes, stuckAtShutdown } from './deploys.js';
import { endurance } from './endurance.js';
import { longHeaders } from './headers.js';
import { image } from './image.js';
import { fairSearches, fairSignIns } from './fairness.js';
import { guessing, limiter, proxyHeaders } from './limits.js';
import { MADE_UP_KEYS, NEWEST_PAGE, noisyNeighbour, overload, SCATTERED_PAGES, standstill } from './overload.js';
import { ALL_OF_ONE_TIME, hostility, LIMITS, onTwoClients, onTwoServices, pages, texts } from './side-by-side.js';
import { routes } from './routes.js';
import { unreadResponses } from './slow-readers.js';
import { smuggling } from './smuggling.js';
import { abortedUploadsLeaveNothing, slowSenders } from './sockets.js';
import { keyFormat } from './key-format.js';
import { linear } from './linear.js';
import { MONGO_ROWS } from './mongo-rows.js';
import { timing } from './timing.js';
import { runMarkets } from '../storages/market-run.js';
import { hasPostgres } from '../../support/postgres.js';
import { parseCurrency } from '../../../domain/currency.js';

/** Of F10; another number may stand behind the row, as in `npm run soak -- F10 5`. */
const MINUTES = Number(process.argv[3] ?? 30);
/** Of H6; another number may stand behind the row. */
const MARKET_MINUTES = Number(process.argv[3] ?? 60);

const PROCESSES = 'two processes';
const CLIENTS = 'two clients';
const SEED = randomInt(2 ** 31);

type Run = () => Promise<Report>;

/**
 * The rows of the reliability targets at full size, by the name to run one by; each of its lines is a run of its own.
 */
export const ROWS: Readonly<Record<string, Readonly<Record<string, Run>>>> = {
  A5: { keys: () => keyFormat(1_000_000, 100_000) },
  A7: perStorage((repositories) => timing(repositories, 20_000)),
  A8: {
    'in its process': onService((service) => revokeUnderLoad(service, 2_000)),
    'in two others': revokedElsewhere(5),
    'in two others, uncached': revokedElsewhere(0),
  },
  A9: { rotation: onService((service) => rotateUnderLoad(service, 10)) },
  A10: { guessing: () => guessing(1_000, 60) },
  A12: { 'no proxy': () => proxyHeaders(0), 'one proxy': () => proxyHeaders(1) },
  B1: onTwoServices({
    [`in order, ${PROCESSES}`]: (service) => hostility(service, HOSTILE),
    [`shuffled (seed ${SEED}), ${PROCESSES}`]: (service) => hostility(service, shuffled(HOSTILE, SEED)),
  }),
  B2: perStorage((repositories) => fuzzed(5_000, repositories)),
  B3: perStorage((repositories) => wireFuzz(50_000, { repositories, seed: Date.now() % 2 ** 31 })),
  B4: onTwoServices({ [PROCESSES]: (service) => texts(service, 10_000) }),
  B6: onTwoServices({ [PROCESSES]: (service) => pages(service, 500, LIMITS) }, ALL_OF_ONE_TIME),
  C5: { smuggling },
  D1: {
    ...perStorage(withService((service) => replays(service, 1_000))),
    ...onTwoServices({ [PROCESSES]: (service) => replays(service, 1_000) }),
  },
  D2: {
    ...perSettings('duplicates', (settings) =>
      onTwoProcesses(settings, (_, services, key) => duplicates(services, key, { keys: 200, sends: 50 })),
    ),
    ...perSettings('creates', (settings) =>
      onTwoProcesses(settings, (place, services, key) => creates(services, key, 500, countIn(place))),
    ),
  },
  D3: {
    ...perStorage(withService((service) => mismatches(service, 1_000))),
    ...onTwoServices({ [PROCESSES]: (service) => mismatches(service, 1_000) }),
  },
  D4: {
    ...perStorage(withService((service) => scopes(service, 500))),
    ...onTwoServices({ [PROCESSES]: (service) => scopes(service, 500) }),
  },
  D5: {
    ...perStorage((repositories) => unkeptAfterFaults([repositories], 100)),
    ...onTwoServices({ [PROCESSES]: (service) => unkept(service, 100) }),
    ...onTwoClients({ [CLIENTS]: (handles) => unkeptAfterFaults(handles, 100) }),
  },
  D6: {
    ...perSettings('kill -9', (settings) => async () => killRounds(100, Date.now(), await settings())),
  },
  D7: {
    ...perStorage((repositories) => lifetimes([repositories], 1_000)),
    ...onTwoClients({ [CLIENTS]: (handles) => lifetimes(handles, 1_000) }),
  },
  D8: {
    ...perStorage((repositories) => raced([repositories])),
    'two connections': racedOverTwoConnections,
    ...onTwoClients({ [CLIENTS]: raced }),
    ...perSettings('two processes', (settings) => async () => racesOverHttp(100, await settings())),
  },
  D9: { 'two processes': () => limiter(600, true) },
  D10: {
    'SQLite to SQLite': () => moves(1_000_000, [() => ({})]),
    ...(hasMongo() && { 'SQLite to MongoDB and back': () => moves(1_000_000, [newMongoSettings, () => ({})]) }),
    ...(hasPostgres() && {
      'SQLite to PostgreSQL and back': () => moves(1_000_000, [newPostgresSettings, () => ({})]),
    }),
  },
  F1: { headers: () => slowSenders('headers', 2_000, 7), body: () => slowSenders('body', 2_000, 12) },
  F2: { 'scattered pages': () => overload(60, SCATTERED_PAGES), 'the newest page': () => overload(60, NEWEST_PAGE) },
  F3: { memory: () => overload(60, SCATTERED_PAGES, { NODE_OPTIONS: '--max-old-space-size=384' }, 5_000) },
  F4: { standstill },
  F5: {
    'over its quota': () => noisyNeighbour(12, 1_000, { RATE_LIMIT_READS: '600' }),
    'within its quota': () => noisyNeighbour(20, 1_000),
    'made-up keys': () => noisyNeighbour(12, 1_000, { RATE_LIMIT_FAILED_AUTH: '30' }, MADE_UP_KEYS),
  },
  F6: {
    node: () => deploys({ clients: 100, restarts: 5, creates: 10_000 }),
    npm: () => deploys({ clients: 100, restarts: 5, creates: 10_000, command: BY_NPM }),
  },
  F7: { stuck: stuckAtShutdown, idle: idleAtShutdown },
  F8: { probes: () => probes(1_000, 10) },
  F9: { aborts: () => abortedUploadsLeaveNothing(1_000) },
  F10: { endurance: () => endurance(MINUTES) },
  F11: {
    thrown: () => lastResort('setTimeout(()=>{throw new Error("planted")})', 20),
    rejected: () => lastResort('Promise.reject(new Error("planted"))', 20),
  },
  G1: { canaries },
  G2: { lines: logInjection },
  G5: { image },
  I10: { 'slow readers': () => unreadResponses(300, 25) },
  I11: { texts: () => linear(200), headers: longHeaders, bodies: worstBodies },
  I12: {
    'eight clients search': () => fairSearches(20, 100_000, 8, 1),
    'a client searches with 32 requests at once': () => fairSearches(20, 100_000, 1, 32),
    'wrong sign-ins from 200 addresses': () => fairSignIns(20, 200),
  },
  I15: { routes: () => routes(2_000) },
  H6: {
    'two processes on SQLite, killed at random': () => runMarkets('SQLite', 2, MARKET_MINUTES),
    ...(hasPostgres() && {
      'four processes on PostgreSQL, killed at random': () => runMarkets('PostgreSQL', 4, MARKET_MINUTES),
    }),
    ...(hasMongo() && {
      'four processes on MongoDB, killed at random': () => runMarkets('MongoDB', 4, MARKET_MINUTES),
    }),
  },
  ...(hasMongo() && MONGO_ROWS),
};

/** Returns a run for each storage that a process can be started with. */
function perSettings(name: string, run: (settings: () => Promise<Settings>) => Run): Record<string, Run> {
  return Object.fromEntries(Object.entries(SETTINGS).map(([storage, each]) => [`${name} on ${storage}`, run(each)]));
}

function perStorage(run: (repositories: Repositories) => Promise<Report>): Record<string, Run> {
  return Object.fromEntries(
    Object.entries(STORAGES).map(([storage, fresh]) => [storage, async () => run(await fresh())]),
  );
}

function withService(run: (service: TestService) => Promise<Report>): (repositories: Repositories) => Promise<Report> {
  return async (repositories) => {
    const service = await startService({ repositories });
    try {
      return await run(service);
    } finally {
      await service.close();
    }
  };
}

function onService(run: (service: TestService) => Promise<Report>): Run {
  return () => withService(run)(overSqlite());
}

function onTwoProcesses(
  settings: Settings | (() => Promise<Settings>),
  run: (place: Workplace, services: readonly ServiceProcess[], key: string) => Promise<Report>,
): Run {
  return async () => {
    const place = await Workplace.open(typeof settings === 'function' ? await settings() : settings);
    try {
      const services = await Promise.all([place.serve(), place.serve()]);
      return await run(place, services, services.map(({ firstKey }) => firstKey).join(''));
    } finally {
      await place.clear();
    }
  };
}

function revokedElsewhere(seconds: number): Run {
  return onTwoProcesses({ KEY_CACHE_SECONDS: String(seconds) }, (place, services) =>
    revocation(
      place,
      services.map((service) => ({ service, seconds })),
      100,
    ),
  );
}

async function racedOverTwoConnections(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-soak-'));
  const handles = [0, 1].map(() => overSqlite(join(folder, 'store.db')));
  for (const handle of handles) await handle.prepare({ currency: parseCurrency('USD') });
  return raced(handles).finally(() => rmSync(folder, { recursive: true }));
}

async function raced(handles: readonly Repositories[]): Promise<Report> {
  try {
    return await races(
      handles.map(({ automations }) => automations),
      100,
    );
  } finally {
    for (const handle of handles.toReversed()) await handle.close();
  }
}

/** B2 fails by throwing, with the seed and the request that it found. */
async function fuzzed(runs: number, repositories: Repositories): Promise<Report> {
  await fuzz(runs, { repositories });
  const findings = new Findings();
  findings.set('runs per operation and kind', runs);
  return findings;
}
