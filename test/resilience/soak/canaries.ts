import Libsql from 'libsql';
import { Client } from '../../support/service/client.js';
import { Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { converse } from '../../support/raw.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { portOf } from '../../support/socket.js';

const HOSTILE = [
  '\r\nforged: yes',
  '\r',
  '\n{"level":30,"msg":"forged"}',
  '\u001b[31mred',
  '\u001b]0;x\u0007',
  Buffer.from('\u2028\u2029').toString('latin1'),
  '"},{"',
  '%0d%0a',
  '%E2%80%A8',
  '\0',
  '\u007f',
];
const METRICS_TOKEN = 'canary-metrics-token-77';
const MONGODB_PASSWORD = 'canary-mongodb-password-77';
/** Of the form of an access token, of no meaning. */
const HEADER = Buffer.from('{"typ":"at+jwt","alg":"RS256","kid":"canary"}').toString('base64url');
const ACCESS_TOKEN = `${HEADER}.Y2FuYXJ5LW9mLW9hdXRo.Y2FuYXJ5LXNpZw`;

/** G1: secrets go through whatever fails, and stand in no line and no answer. */
export async function canaries(): Promise<Report> {
  const findings = new Findings();
  const issuer = { OAUTH_ISSUER: 'http://127.0.0.1:9', OAUTH_AUDIENCE: 'market' };
  await planted({ ...issuer, METRICS_TOKEN, LOG_LEVEL: 'trace' }, findings, async (place, service, hear) => {
    await everywhere(service, [service.firstKey, METRICS_TOKEN, ACCESS_TOKEN], hear);
    const database = new Libsql(place.database, { timeout: 5_000 });
    database.exec('DROP TABLE categories');
    database.close();
    await everywhere(service, [service.firstKey, METRICS_TOKEN, ACCESS_TOKEN], hear);
  });
  const url = `mongodb://market:${MONGODB_PASSWORD}@127.0.0.1:9/market?serverSelectionTimeoutMS=200`;
  const unreachable = { STORAGE: 'mongodb', MONGODB_URL: url, METRICS_TOKEN, LOG_LEVEL: 'trace' };
  await planted(unreachable, findings, async (_, service, hear) => everywhere(service, [METRICS_TOKEN], hear));
  return findings;
}

type Hear = (answer: string) => void;

async function planted(
  settings: Settings,
  findings: Findings,
  run: (place: Workplace, service: ServiceProcess, hear: Hear) => Promise<void>,
): Promise<void> {
  const place = await Workplace.open(settings);
  const service = await place.serve();
  const answers: string[] = [];
  await run(place, service, (answer) => answers.push(answer));
  await service.stop();
  const welcomes = service.stdout.flatMap((line) => /\/panel\/welcome\/([\w-]+)/.exec(line)?.[1] ?? []);
  const secrets = [
    METRICS_TOKEN,
    MONGODB_PASSWORD,
    ...ACCESS_TOKEN.split('.'),
    service.firstKey.slice(4, 34),
    ...welcomes,
  ].filter(Boolean);
  const lines = [...service.logged(), ...service.stderr];
  findings.count('answers', answers.length);
  findings.count('lines', lines.length);
  findings.count('of 500', answers.filter((answer) => answer.startsWith('500')).length);
  for (const secret of secrets)
    for (const text of [...lines, ...answers])
      findings.check(!text.includes(secret), `${secret.slice(0, 6)}... stands in ${text.slice(0, 200)}`);
  await place.clear();
}

/** Each secret where it belongs, and where it does not. */
async function everywhere(service: ServiceProcess, secrets: readonly string[], hear: Hear): Promise<void> {
  for (const secret of secrets)
    for (const request of [
      `GET /api/automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`,
      `POST /api/automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.firstKey}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: ${secret.length + 8}\r\nConnection: close\r\n\r\n{"a":"${secret}",`,
      `GET /api/automations?access_token=${secret} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`,
      `GET /api/automations/${secret} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.firstKey}\r\n`,
      `GET /api/automations HTTP/1.1\r\nHost: ${secret} x\r\nX-Request-Id: ${secret}=\r\nAuthorization: Bearer ` +
        `${secret}\r\n`,
      `GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${secret}\r\n`,
      `GET /nothing/${secret} HTTP/1.1\r\nHost: x\r\nBroken ${secret}\r\n`,
    ])
      for (const { status, headers, body } of (
        await converse(portOf(service), `${request}Connection: close\r\n\r\n`, { untilClosed: true })
      ).answers)
        hear([status, ...headers.map((header) => header.join(': ')), body.toString()].join('\n'));
}

/** G2: whatever is sent, every line is one JSON object. */
export async function logInjection(): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ LOG_LEVEL: 'trace' });
  const service = await place.serve();
  for (const bytes of HOSTILE)
    for (const request of [
      `GET /api/${bytes} HTTP/1.1\r\nHost: x\r\n`,
      `GET /livez?${bytes} HTTP/1.1\r\nHost: x\r\n`,
      `GET /api/categories?${bytes} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.firstKey}\r\n`,
      `GET /api/categories HTTP/1.1\r\nHost: x\r\nUser-Agent: ${bytes}\r\nX-Request-Id: ${bytes}\r\ntraceparent: ` +
        `${bytes}\r\nAuthorization: Bearer ${service.firstKey}\r\n`,
    ]) {
      await converse(portOf(service), `${request}Connection: close\r\n\r\n`, { untilClosed: true });
      findings.count('requests');
    }
  const client = new Client(service.url);
  await client.get('/last', { 'x-request-id': 'last' });
  client.close();
  await service.stop();
  for (const line of service.logged()) checkLine(line, findings);
  findings.check(
    service.logged().some((line) => line.includes('"last"')),
    'the lines end before the end',
  );
  await place.clear();
  return findings;
}

function checkLine(line: string, findings: Findings): void {
  findings.count('lines');
  try {
    const entry = JSON.parse(line) as { msg?: unknown } | null;
    findings.check(typeof entry === 'object' && entry !== null && entry.msg !== 'forged', `forged: ${line}`);
  } catch {
    findings.check(false, `no JSON: ${line}`);
  }
}
