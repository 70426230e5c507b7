import { setTimeout } from 'node:timers/promises';
import { Findings, type Report } from '../soak-report.js';
import type { TestService } from '../service.js';
import { Client } from './client.js';
import { Load } from './load.js';
import { OPERATOR } from '../../../domain/access.js';

const RATE = 200;
const HOUR = 60 * 60 * 1000;

/**
 * A9: rotates a key again and again under load; half of the clients change to the successor at once, half stay with the
 * old key.
 */
export async function rotateUnderLoad(service: TestService, seconds: number): Promise<Report> {
  const findings = new Findings();
  const first = await service.keys.issue(OPERATOR, { developer: 'ada' });
  let [old, current] = [first, first];
  const clients = new Map<string, Client>();
  const clientOf = (key: string): Client => {
    const client = clients.get(key) ?? new Client(service.url, key);
    clients.set(key, client);
    return client;
  };
  const load = new Load(RATE, async (n) => {
    const { status } = await clientOf((n % 2 === 0 ? old : current).text).get('/automations');
    findings.check(status === 200, `a request was answered ${status}`);
  });
  for (let rotation = 0; rotation < seconds * 4; rotation += 1) {
    await setTimeout(250);
    const text = current;
    current = await service.keys.rotate(OPERATOR, text.key.id, HOUR);
    old = text;
    findings.count('rotations');
  }
  await load.stop();
  findings.set('requests', load.fired);
  for (const client of clients.values()) client.close();
  return findings;
}

/** A8, in the process that revokes: no request that starts after the call has returned is let in. */
export async function revokeUnderLoad(service: TestService, milliseconds: number): Promise<Report> {
  const findings = new Findings();
  const { text, key } = await service.keys.issue(OPERATOR, { developer: 'ada' });
  const client = new Client(service.url, text);
  let [revoking, revoked] = [false, false];
  const load = new Load(RATE, async () => {
    const startedAfter = revoked;
    const { status } = await client.get('/automations');
    findings.count(status === 200 ? 'let in' : 'refused');
    findings.check(!startedAfter || status === 401, `a request after the revocation was answered ${status}`);
    findings.check(revoking || status === 200, `a request before the revocation was answered ${status}`);
  });
  await setTimeout(milliseconds);
  revoking = true;
  await service.keys.revoke(OPERATOR, key.id);
  revoked = true;
  await setTimeout(milliseconds);
  await load.stop();
  client.close();
  return findings;
}
