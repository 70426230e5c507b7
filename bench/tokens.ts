/**
 * What it takes to verify an access token of the own server, sent for the first time and again, next to a key:
 * `node dist/bench/tokens.js [COUNT]`.
 */
import { ownTokens } from '../test/support/own-tokens.js';
import { machine, median, medianRatio, numbersGiven, table } from './figures.js';

const ROUNDS = 9;
/** A token that was sent before takes at most as long as this number of keys. */
const MAX_RATIO = 10;

const [count = 1_000] = numbersGiven([1_000]);
const { verifier, newApiKey, newToken } = await ownTokens();
const [key, token] = [await newApiKey(), await newToken()];
const us = { key: [] as number[], 'a token, again': [] as number[], 'a token, for the first time': [] as number[] };
for (let round = 0; round <= ROUNDS; round += 1) {
  const fresh = await Promise.all(Array.from({ length: count }, () => newToken()));
  us.key.push(await timeOf(Array.from({ length: count }, () => key)));
  us['a token, again'].push(await timeOf(Array.from({ length: count }, () => token)));
  us['a token, for the first time'].push(await timeOf(fresh));
}

const rows = Object.entries(us).map(([what, all]) => {
  const [, ...measured] = all;
  return [what, median(measured).toFixed(1), medianRatio(measured, us.key.slice(1)).toFixed(1)];
});
console.log(table(['verified', 'CPU, us', 'to a key'], rows, 1));
console.log(`\n${machine()}`);
process.exitCode = medianRatio(us['a token, again'].slice(1), us.key.slice(1)) > MAX_RATIO ? 1 : 0;

/** Returns the time of all threads for each credential, in microseconds. */
async function timeOf(credentials: readonly string[]): Promise<number> {
  const begun = process.cpuUsage();
  for (const credential of credentials)
    if ((await verifier.verify(credential)) === undefined) throw new Error('a valid credential was refused');
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / credentials.length;
}
