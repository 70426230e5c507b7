import { setTimeout } from 'node:timers/promises';
import { Client } from '../../support/service/client.js';
import { preloaded, Workplace } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { elsewhere } from './load/elsewhere.js';
import { abortedUploads, slowSockets, SOCKETS } from './load/sockets.js';
import { open } from './overload.js';
import { MIB, scrape } from './scrape.js';
import { portOf } from '../../support/socket.js';

const GC =
  'import v8 from "node:v8";import vm from "node:vm";v8.setFlagsFromString("--expose-gc");const ' +
  'gc=vm.runInNewContext("gc")';

/** F1: senders of a byte a second, of headers or of a body, are cut off, and disturb nobody. */
export async function slowSenders(kind: 'headers' | 'body', count: number, seconds: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open();
  const service = await place.serve();
  const port = portOf(service);
  const key = service.firstKey;
  const request =
    'POST /api/automations HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const head = kind === 'headers' ? `${request}X-Slow: ` : `${request}Content-Length: 60000\r\n\r\n"`;
  const slow = elsewhere(SOCKETS, slowSockets, { port, count, head, atMostSeconds: 3 * seconds });
  const normal = await open({ port, asked: [{ key, path: '/api/automations' }] }, 50, seconds);
  const { longest, open: stillOpen, answered } = await slow.result;
  findings.set('sockets', count);
  findings.set('answered before they were closed', answered);
  findings.check(stillOpen === 0, `${stillOpen} were never closed`);
  findings.check(
    normal.failed + normal.refused === 0,
    `normal traffic: ${normal.failed} failed, ${normal.refused} refused: ${normal.firstFailure}`,
  );
  findings.atMost('longest, s', longest / 1000, seconds);
  findings.atMost('normal p99, ms', normal.fineP99, 250);
  await place.clear();
  return findings;
}

/** F9: uploads that their clients give up leave nothing. */
export async function abortedUploadsLeaveNothing(count: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ STORAGE: 'memory', ...preloaded(GC, 'gc()') });
  const service = await place.serve();
  const port = portOf(service);
  const key = service.firstKey;
  const heap = async () => {
    service.signal('SIGUSR2');
    await setTimeout(1_000);
    return (await scrape(service.url))('nodejs_heap_size_used_bytes') / MIB;
  };
  await elsewhere(SOCKETS, abortedUploads, { port, key, count }).result;
  const before = await heap();
  await elsewhere(SOCKETS, abortedUploads, { port, key, count }).result;
  let inFlight = NaN;
  const began = performance.now();
  while (inFlight !== 0 && performance.now() - began < 15_000)
    inFlight = (await scrape(service.url))('marketplace_http_requests_in_flight');
  findings.set('aborted', count);
  findings.check(inFlight === 0, `${inFlight} are still under way`);
  findings.atMost('none under way after, ms', performance.now() - began, 1_000);
  findings.atMost('heap, MiB more', (await heap()) - before, 5);
  const client = new Client(service.url, key);
  findings.check((await client.total()) === 0, 'an aborted upload was stored');
  findings.check(service.stderr.length === 0, service.stderr.join('\n'));
  findings.check(!service.logged().some((line) => line.includes('"level":50')), 'an abort was logged as a failure');
  client.close();
  await place.clear();
  return findings;
}
