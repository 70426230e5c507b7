import { startPanel, type PanelService } from '../../support/panel.js';
import { converse } from '../../support/raw.js';
import { Findings, type Report } from '../../support/soak-report.js';

const MAX_BYTES = 15_800;
const RUNS = 3;
const MORE_RUNS = 15;
const MAX_MS = 50;
/** Below this, the noise of the machine is more than what is measured. */
const MIN_MEASURED_MS = 5;
const MAX_GROWTH = 2.5;

/** What headers are filled with, behind how they begin. */
const FILLINGS: Readonly<Record<string, readonly (readonly [start: string, unit: string])[]>> = {
  Accept: [
    ['', 'a/b;c="'],
    ['text/html;a="', ','],
    ['', 'text/html,'],
    ['', 'a/b;q=0.1,'],
    ['', ';'],
    ['', ' '],
  ],
  'Accept-Language': [
    ['', 'a'],
    ['', 'en-US;q=0.1,'],
    ['', ' '],
    ['', 'a-'],
  ],
  'If-None-Match': [
    ['', '"a",'],
    ['', 'W/"'],
    ['', '"'],
    ['', ','],
  ],
  'If-Match': [
    ['', '"a",'],
    ['', 'W/"'],
    ['', '"'],
  ],
  'If-Modified-Since': [
    ['', '('],
    ['', '1 '],
    ['', 'Mon, '],
  ],
  'Cache-Control': [
    ['', ' '],
    ['', ',  '],
    ['', ',no-cach'],
    ['', 'no-cache '],
  ],
  Cookie: [
    ['', 'a=b;'],
    ['', ';'],
    ['', '='],
    ['', 'panel-session=x;'],
  ],
  'X-Forwarded-For': [
    ['', ','],
    ['', '::1,'],
    ['1.1.1.1, ', '1.'],
    ['[', ':'],
    ['', '0:'],
  ],
  Authorization: [
    ['Bearer ', 'a'],
    ['', 'bearer\t'],
    ['Bearer', ' '],
  ],
  Origin: [
    ['http://', 'a'],
    ['http://xn--', 'a'],
    ['http://', 'a.'],
    ['http://', '\u00e4'],
  ],
  'Content-Type': [
    ['application/json', ';charset="'],
    ['application/json', '; charset'],
    ['', ';a="\\"'],
    ['', '\t'],
  ],
  Range: [['bytes=', '0-1,']],
  Expect: [['', '100-continue,']],
  Host: [
    ['', 'a'],
    ['[', ':'],
  ],
};

const TARGETS = [
  'GET /api/automations',
  'GET /nothing',
  'GET /catalogue',
  'GET /catalogue/feed.atom',
  'GET /openapi.json',
  'GET /panel',
  'POST /api/automations',
  'POST /panel/sign-in',
];

/** I11: what a header costs at its longest grows no faster than its length. */
export async function longHeaders(): Promise<Report> {
  const findings = new Findings();
  const service = await startPanel({ CATALOGUE: 'public', TRUSTED_PROXY_HOPS: '2' });
  const key = await service.key();
  const costOf = (target: string, name: string, value: string, runs?: number) =>
    costMs(service, requestText(target, key, name, value), runs);
  for (const target of TARGETS) await costOf(target, 'X-Warm', 'up');
  for (const [name, fillings] of Object.entries(FILLINGS)) {
    let [most, worst] = [0, { target: '', start: '', unit: '' }];
    for (const target of TARGETS)
      for (const [start, unit] of fillings) {
        const cost = await costOf(target, name, filled(start, unit, MAX_BYTES));
        if (cost > most) [most, worst] = [cost, { target, start, unit }];
      }
    const { target, start, unit } = worst;
    const whole = await costOf(target, name, filled(start, unit, MAX_BYTES), MORE_RUNS);
    const half = await costOf(target, name, filled(start, unit, MAX_BYTES / 2), MORE_RUNS);
    findings.atMost(`${name}, ms`, whole, MAX_MS);
    findings.atMost(`${name} to half of it`, whole > MIN_MEASURED_MS ? whole / half : 0, MAX_GROWTH);
  }
  await service.close();
  return findings;
}

function filled(start: string, unit: string, length: number): string {
  return start + unit.repeat(Math.ceil(length / unit.length)).slice(0, length - start.length);
}

function requestText(target: string, key: string, name: string, value: string): string {
  const body = target.startsWith('POST') ? 'Content-Length: 2\r\n\r\n{}' : '\r\n';
  const usual = { Host: 'x', Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Connection: 'close' };
  const lines = Object.entries({ ...usual, [name]: value }).map(([one, text]) => `${one}: ${text}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join('')}${body}`;
}

/** Returns the processor time of a request, the least of some runs. */
export async function costMs({ port }: PanelService, said: string | Buffer, runs = RUNS): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < runs; n += 1) {
    const before = process.cpuUsage();
    await converse(port, said, { untilClosed: true });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
