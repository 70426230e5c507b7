import { mongodBinary } from './mongod.js';
import { ReplicaSet } from './replica-set.js';

let set: ReplicaSet | undefined;

/** Starts one mongod for all test files of the run, where there is a binary and no address is given. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.env['MONGODB_URL'] || mongodBinary() === undefined) return;
  set = await ReplicaSet.start(1);
  process.env['MONGODB_URL'] = set.url;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await set?.stop();
}
