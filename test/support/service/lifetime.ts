import { Findings, type Report } from '../soak-report.js';
import { startServices } from '../side-by-side.js';
import type { Repositories } from '../repositories.js';
import { Client, created, draft } from './client.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/**
 * D7: a key is kept for 24 hours: a minute before that it answers the first automation, a minute after that it makes
 * another. Over handles on one store, with a service over each.
 */
export async function lifetimes(handles: readonly Repositories[], count: number): Promise<Report> {
  const findings = new Findings();
  const clock = { time: Date.UTC(2025, 0, 1) };
  const service = await startServices(handles, { now: () => new Date(clock.time) });
  const client = new Client(service, await service.key());
  const sendAll = async (time: number): Promise<readonly string[]> => {
    clock.time = Date.UTC(2025, 0, 1) + time;
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(created(await client.post(draft(n), `lifetime-${n}`)).id);
    return ids;
  };
  const first = await sendAll(0);
  const replayed = await sendAll(DAY - MINUTE);
  const again = await sendAll(DAY + MINUTE);
  findings.check(replayed.join() === first.join(), 'within the day another automation was answered');
  findings.check(!again.some((id) => first.includes(id)), 'after the day the first automation was answered');
  findings.check((await client.total()) === count * 2, 'the total is not that of what was made');
  findings.set('made again', again.length);
  const freed = async (time: number) =>
    handles[0]?.automations.freeIdempotencyKeys(new Date(Date.UTC(2025, 0, 1) + time));
  findings.check((await freed(2 * DAY)) === 0, 'keys are freed too early');
  findings.set('freed', (await freed(2 * DAY + 2 * MINUTE)) ?? 0);
  findings.check(findings.figures['freed'] === count, 'not every key was freed');
  findings.check((await freed(9 * DAY)) === 0, 'keys are kept after they are freed');
  client.close();
  await service.close();
  return findings;
}
