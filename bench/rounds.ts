import { randomNumbers } from './catalogue.js';
import { median } from './figures.js';

/** Something to be measured: `run` is called so many times in a row. */
export interface Work {
  readonly calls: number;
  run(): Promise<unknown>;
}

const WARM_UP_ROUNDS = 5;

/**
 * What a call of each costs, in microseconds: the median of the rounds. Every round measures all of them, each time in
 * another order, so that what disturbs the machine disturbs all alike.
 */
export async function medianCosts(works: readonly Work[], rounds: number): Promise<readonly number[]> {
  const random = randomNumbers(works.length);
  const measured = works.map((work) => ({ work, costs: [] as number[] }));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1)
    for (const { work, costs } of shuffled(measured, random)) {
      const cost = await costOf(work);
      if (round >= 0) costs.push(cost);
    }
  return measured.map(({ costs }) => median(costs));
}

async function costOf(work: Work): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < work.calls; call += 1) await work.run();
  return ((performance.now() - start) * 1000) / work.calls;
}

function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
