/**
 * What becomes of a connection whose refresh token is sent 2 to 5 times, in turn to two processes:
 * `node dist/bench/refreshes.js [ROUNDS]`. A store in memory has one process.
 */
import { repeatRefresh, type Fate } from '../test/support/repeated-refresh.js';
import { SETTINGS } from '../test/support/servers.js';
import { machine, numbersGiven, table } from './figures.js';
import { openScene, type Scene } from './refreshes/scene.js';

const APART_MS = [0, 10, 30, 100, 1_000, 15_000];
/** Until then the same refresh gets the same answer. The requests of 1,000 ms take 4 seconds. */
const REPEAT_MS = 10_000;
const MIN_SENDS = 2;
const MAX_SENDS = 5;

interface Row {
  readonly cells: readonly string[];
  readonly isRight: boolean;
}

const [rounds = 50] = numbersGiven([50]);
const scenes: (readonly [storage: string, scene: Scene])[] = [];
for (const storage of ['memory', ...Object.keys(SETTINGS)]) scenes.push([storage, await openScene(storage)]);
// Most of the time is spent waiting: all storages wait together.
const rows = await Promise.all(scenes.map(([storage, scene]) => rowsOf(storage, scene)));
const head = ['storage', 'processes', 'apart, ms', 'rounds', 'alive, same pair', 'ended as theft', 'anything else'];
console.log(
  table(
    head,
    rows.flat().map(({ cells }) => cells),
    1,
  ),
);
console.log(`\n${machine()}`);
process.exitCode = rows.flat().every(({ isRight }) => isRight) ? 0 : 1;

async function rowsOf(storage: string, scene: Scene): Promise<readonly Row[]> {
  const fates = await Promise.all(
    APART_MS.map((apartMs) => (apartMs < REPEAT_MS ? fatesInTurn(scene, apartMs) : fatesAtOnce(scene, apartMs))),
  );
  await scene.close();
  return APART_MS.map((apartMs, index) => rowOf(scene, storage, apartMs, fates[index] ?? []));
}

/** Goes on with the same connection in each round; with a new one where it was lost. */
async function fatesInTurn(scene: Scene, apartMs: number): Promise<readonly Fate[]> {
  const fates: Fate[] = [];
  let next: string | undefined;
  while (fates.length < rounds) {
    const [token = ''] = next === undefined ? await scene.connect(1) : [next];
    const repeated = await repeatRefresh({ ...scene, token, apartMs, sends: sendsIn(fates.length) });
    next = repeated.next;
    fates.push(repeated.fate);
  }
  return fates;
}

/** Has a connection for each round: each ends, after a minute. */
async function fatesAtOnce(scene: Scene, apartMs: number): Promise<readonly Fate[]> {
  const tokens = await scene.connect(rounds);
  const all = tokens.map((token, round) => repeatRefresh({ ...scene, token, apartMs, sends: sendsIn(round) }));
  return (await Promise.all(all)).map(({ fate }) => fate);
}

function sendsIn(round: number): number {
  return MIN_SENDS + (round % (MAX_SENDS - MIN_SENDS + 1));
}

function rowOf({ urls }: Scene, storage: string, apartMs: number, fates: readonly Fate[]): Row {
  const of = (fate: Fate) => fates.filter((one) => one === fate).length;
  const [alive, ended] = [of('same pair'), of('ended as theft')];
  const others = fates.filter((fate) => fate.startsWith('other'));
  const told = others.length === 0 ? '0' : `${others.length} (${others[0]})`;
  const cells = [storage, urls.length, apartMs, fates.length, alive, ended, told].map(String);
  return { cells, isRight: (apartMs < REPEAT_MS ? alive : ended) === rounds };
}
