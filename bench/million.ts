/** What a store in memory takes, in a process of its own: `node dist/bench/million.js [COUNT]`. */
import { InMemoryAutomationRepository } from '../adapters/in-memory/automation-repository.js';
import { inBatches, newAutomations, newCategories } from './catalogue.js';
import { grouped, machine, numbersGiven } from './figures.js';

const MAX_MEMORY_MIB = 1024;
const MAX_SECONDS = 10;
const MIB = 2 ** 20;

const [count = 1_000_000] = numbersGiven([1_000_000]);
const automations = new InMemoryAutomationRepository(undefined, { search: false });
let [milliseconds, characters] = [0, 0];
for (const batch of inBatches(newAutomations(count, newCategories(16)), 1_000)) {
  for (const { title, description } of batch) characters += title.length + description.length;
  const offers = batch.map((automation) => ({ automation }));
  const start = performance.now();
  await automations.add(offers);
  milliseconds += performance.now() - start;
}
const memory = process.memoryUsage();
const most = process.resourceUsage().maxRSS / 1024;
const seconds = milliseconds / 1000;
const megabytes = (bytes: number) => `${grouped(bytes / MIB)} MiB`;
const each = Math.round(characters / count);
console.log(`${grouped(count)} automations of ${each} characters of text: stored in ${seconds.toFixed(1)} s;`);
console.log(`the heap is ${megabytes(memory.heapUsed)}, the process had ${grouped(most)} MiB at most; ${machine()}`);
process.exitCode = most <= MAX_MEMORY_MIB && seconds <= MAX_SECONDS ? 0 : 1;
