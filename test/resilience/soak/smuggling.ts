import { Client, draft } from '../../support/service/client.js';
import { Workplace } from '../../support/process.js';
import { converse } from '../../support/raw.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { portOf } from '../../support/socket.js';

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const SIX = 'Content-Length: 6\r\n';

/** What comes after the first headers: more of them, and a body whose end servers tell differently. */
const FRAMINGS: Readonly<Record<string, readonly [headers: string, body: string, version?: string]>> = {
  'two lengths': [`${SIX}Content-Length: 5\r\n`, '{"a":1'],
  'the same length twice': [SIX + SIX, '{"a":1'],
  'a list of lengths': ['Content-Length: 6, 6\r\n', '{"a":1'],
  'a signed length': ['Content-Length: +6\r\n', '{"a":1'],
  'a hexadecimal length': ['Content-Length: 0x6\r\n', '{"a":1'],
  'a negative length': ['Content-Length: -6\r\n', '{"a":1'],
  'a length and chunks': [SIX + CHUNKED, '0\r\n\r\nX'],
  'chunks and a length': [CHUNKED + SIX, '0\r\n\r\nX'],
  'chunks that are no last coding': ['Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
  'an unknown coding': ['Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
  'two codings': [`${CHUNKED}Transfer-Encoding: identity\r\n`, '0\r\n\r\n'],
  'chunks with a space before the colon': ['Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
  'chunks by a bare line feed': ['X: y\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  'a folded header': [' chunked\r\n', '0\r\n\r\n'],
  'a chunk size that is no number': [CHUNKED, 'zz\r\n{}\r\n0\r\n\r\n'],
  'a negative chunk size': [CHUNKED, '-1\r\n{}\r\n0\r\n\r\n'],
  'a chunk size beyond all numbers': [CHUNKED, 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
  'a chunk size with 0x': [CHUNKED, '0x2\r\n{}\r\n0\r\n\r\n'],
  'a chunk longer than its size': [CHUNKED, '1\r\n{}\r\n0\r\n\r\n'],
  'chunks in HTTP/1.0': [`Connection: keep-alive\r\n${CHUNKED}`, '0\r\n\r\n', '1.0'],
  'a chunk that ends by a bare line feed': [CHUNKED, '2\r\n{}\n0\r\n\r\n'],
};

/** C5: behind each request whose end can be told in two ways comes a create that must not be executed. */
export async function smuggling(): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open();
  const service = await place.serve();
  const client = new Client(service.url, service.firstKey);
  for (const [name, [headers, body, version = '1.1']] of Object.entries(FRAMINGS)) {
    const head =
      'POST /api/automations HTTP/1.1\r\nHost: x\r\n' +
      `Authorization: Bearer ${service.firstKey}\r\nContent-Type: application/json\r\n`;
    const first = head.replace('1.1', version);
    const smuggled = JSON.stringify(draft(1, { category_id: 'uncategorized' }));
    const second = `${head}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`;
    const { answers, closed } = await converse(portOf(service), `${first}${headers}\r\n${body}${second}`, {
      untilClosed: true,
    });
    findings.check(
      answers.length === 1 && answers[0]?.status === 400,
      `${name}: ${answers.map(({ status }) => status).join(' ')}`,
    );
    findings.check(closed, `${name}: the connection stays open`);
    findings.check((await client.total()) === 0, `${name}: the second request was executed`);
    findings.count('framings');
  }
  client.close();
  await place.clear();
  return findings;
}
