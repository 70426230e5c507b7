import { badNetwork } from '../mongodb/bad-network.js';
import { haltedPrimary, powerCut } from '../mongodb/faults.js';
import { manyWithdrawn } from '../mongodb/many-withdrawn.js';
import { hungMongod, stoppedWhileHung } from '../mongodb/hung.js';
import { plansAtScale } from '../../integration/mongodb/plans-at-scale.js';
import { poolExhausted } from '../mongodb/pool.js';
import { readYourWrites } from '../mongodb/read-your-writes.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { KILL, STEP_DOWN, storm, type Event } from '../mongodb/service-load.js';
import { setModel } from '../mongodb/set-model.js';
import type { Report } from '../../support/soak-report.js';
import type { NetworkFault } from '../../support/tcp-proxy.js';

type Run = () => Promise<Report>;

const MINUTE = 60_000;
/** The size of H5; another number may stand behind the row, as in `npm run soak -- H5 1000000`. */
const MARKET_SIZE = Number(process.argv[3] ?? 10_000_000);
/** In milliseconds, what a set has by default. */
const ELECTION = 10_000;
/** In milliseconds: the longest that a caller waits, whatever happens. */
const CALLS = { 'longest read ms': 3_500, 'longest write ms': 13_000, 'well after ms': 5_000 };
const CALLS_OF_REPOSITORY = { 'longest list ms': 3_500, 'longest add ms': 13_000 };
const kills: Event = { ...KILL, pause: 20_000 };
const stepDowns: Event = { ...STEP_DOWN, pause: 9_000 };

const NETWORKS: readonly NetworkFault[] = [
  { kind: 'delay', milliseconds: 500 },
  { kind: 'black-hole' },
  { kind: 'half-open' },
  { kind: 'reset' },
  { kind: 'cut', bytes: 1_500 },
  { kind: 'slicer', bytes: 7 },
];

/** The rows that need mongods to kill, halt and cut off. */
export const MONGO_ROWS: Readonly<Record<string, Readonly<Record<string, Run>>>> = {
  E2: {
    'kill -9 of the primary': onSet(3, (set) => storm(set, kills, { perSecond: 200, seconds: 125 }), {
      'longest gap ms': 15_000,
      'longest answer ms': 13_000,
    }),
  },
  E3: {
    'step-downs': onSet(3, (set) => storm(set, stepDowns, { perSecond: 200, seconds: 95 }), {
      'longest gap ms': 5_000,
      failed: 190,
      'failed twice': 0,
    }),
  },
  E4: Object.fromEntries(
    NETWORKS.map((fault) => [
      fault.kind,
      onSet(1, ({ nodes: [node] }) => badNetwork(node as NonNullable<typeof node>, fault, MINUTE, 80), {
        ...CALLS,
        'settled after ms': 13_000,
      }),
    ]),
  ),
  E5: {
    'halted for 30 s': onSet(1, (set) => hungMongod(set, 30_000), {
      ...CALLS,
      'in flight for ms': 13_000,
      '/livez p99 ms': 100,
    }),
    'stopped meanwhile': onSet(1, stoppedWhileHung, { 'stopped after ms': 7_000 }),
    'the primary of three': onSet(3, (set) => haltedPrimary(set, 30_000), {
      ...CALLS_OF_REPOSITORY,
      'longest gap ms': 15_000,
    }),
  },
  E6: {
    'another process': onSet(3, (set) => readYourWrites(set, 10_000)),
    'during step-downs': onSet(3, (set) => readYourWrites(set, 10_000, stepDowns)),
  },
  E7: { 'power cuts': onSet(3, (set) => powerCut(set, 10, 3_000), CALLS_OF_REPOSITORY) },
  E8: {
    'five connections': onSet(1, (set) => poolExhausted(set.url, { connections: 5, rounds: 50 }), {
      'longest ms': 1_500,
    }),
  },
  E9: {
    'during kills': onSet(3, (set) => setModel(set, kills, 60)),
    'during step-downs': onSet(3, (set) => setModel(set, stepDowns, 60)),
  },
  E11: { '100,000 automations': () => plansAtScale(100_000) },
  H5: {
    'a tenth is withdrawn': onSet(
      1,
      ({ url }) => manyWithdrawn(url, 'withdrawn', { count: MARKET_SIZE, withdrawals: 10_000, historyMs: 5 * MINUTE }),
      { 'page, as a multiple': 1.5, 'first list ms': 1_000, 'memory of the counts MiB': 64 },
    ),
  },
};

/** On mongods of its own; the figures that are named must be at most so high. */
function onSet(
  count: number,
  run: (set: ReplicaSet) => Promise<Report>,
  most: Readonly<Record<string, number>> = {},
): Run {
  return async () => {
    const set = await ReplicaSet.start(count, ELECTION);
    try {
      const { figures, violations, excesses = [] } = await run(set);
      const above = Object.entries(most).filter(([figure, bound]) => !((figures[figure] ?? NaN) <= bound));
      return {
        figures,
        violations,
        excesses: [...excesses, ...above.map(([figure, bound]) => `${figure} is more than ${bound}`)],
      };
    } finally {
      await set.stop();
    }
  };
}
