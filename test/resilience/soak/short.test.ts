import { expect } from 'chai';
import { ROWS } from '../../integration/http/hostile/rows.js';
import { lifetimes } from '../../support/service/lifetime.js';
import { mismatches, replays, scopes } from '../../support/service/replay.js';
import { racesOverHttp } from '../../support/service/same-id.js';
import { unkept, unkeptAfterFaults } from '../../support/service/unkept.js';
import { hasMongo, HOW } from '../../support/mongod.js';
import { notRun } from '../../support/not-run.js';
import { POSTGRES_MISSING, hasPostgres } from '../../support/postgres.js';
import { SERVERS } from '../../support/servers.js';
import type { Report } from '../../support/soak-report.js';
import { canaries, logInjection } from './canaries.js';
import { deploys, idleAtShutdown, lastResort, probes, stuckAtShutdown } from './deploys.js';
import { linear } from './linear.js';
import { guessing, limiter, proxyHeaders } from './limits.js';
import { noisyNeighbour, overload, SCATTERED_PAGES } from './overload.js';
import { ALL_OF_ONE_TIME, hostility, onTwoClients, onTwoServices, pages, texts } from './side-by-side.js';
import { unreadResponses } from './slow-readers.js';
import { smuggling } from './smuggling.js';
import { abortedUploadsLeaveNothing, slowSenders } from './sockets.js';
import { parseList } from './structured-fields.js';

/** The rows in small: what must never be. What must not take long is for the full size. */
const IN_SMALL: Readonly<Record<string, () => Promise<Report>>> = {
  'A10: bad keys are refused, and lock out no valid one': () => guessing(100, 1),
  'A12: headers of proxies that are not there change nothing': () => proxyHeaders(0),
  'A12: behind a proxy only the address that it wrote is believed': () => proxyHeaders(1),
  'C5: nothing behind a request of uncertain end is executed': smuggling,
  'D9: each of two processes lets through what is allowed': () => limiter(200, false),
  'F1: slow bodies are cut off': () => slowSenders('body', 50, 12),
  'F2: twice the capacity is served or shed, and /livez answers': () => overload(2, SCATTERED_PAGES),
  'F5: who asks little is served beside who asks a lot': () => noisyNeighbour(2, 200),
  'F6: a deploy fails no request': () => deploys({ clients: 10, restarts: 1, creates: 50 }),
  'F7: what is stuck does not keep the process': stuckAtShutdown,
  'F7: an idle connection does not change how the process ends': idleAtShutdown,
  'F8: the store is asked once a second, however many probe': () => probes(100, 2),
  'F9: aborted uploads leave nothing': () => abortedUploadsLeaveNothing(100),
  'F11: what was acknowledged survives a failure that nobody has caught': () =>
    lastResort('Promise.reject(new Error("planted"))', 4),
  'I11: work on texts from outside is measured': () => linear(3),
  'G1: no secret is told, whatever fails': canaries,
  'G2: every line of the log is one JSON object': logInjection,
  'I10: clients that hardly read disturb no other client': () => unreadResponses(30, 2),
};

const ON_SERVERS: typeof IN_SMALL = {
  ...onTwoServices({
    'B1: two processes answer hostile requests as the contract says': (service) =>
      hostility(
        service,
        ROWS.filter((_, n) => n % 10 === 0),
      ),
    'B4: what is written by one process is read from the other as it was': (service) => texts(service, 50),
    'D1: a create again is answered the same by another process': (service) => replays(service, 20),
    'D3: an idempotency key goes with the content in another process too': (service) => mismatches(service, 20),
    'D4: an idempotency key belongs to the developer in another process too': (service) => scopes(service, 5),
    'D5: after a refusal by one process an idempotency key is free in another': (service) => unkept(service, 3),
  }),
  ...onTwoServices(
    { 'B6: the pages of two processes add up while both write': (service) => pages(service, 50, [3, 10, 25]) },
    ALL_OF_ONE_TIME,
  ),
  ...onTwoClients({
    'D5: after a failure of one client an idempotency key is free in another': (handles) =>
      unkeptAfterFaults(handles, 3),
    'D7: an idempotency key of one client is as long kept in another': (handles) => lifetimes(handles, 20),
  }),
  ...Object.fromEntries(
    Object.entries(SERVERS).map(([name, { newSettings }]) => [
      `D8: of many that two processes give the same id one is stored on ${name}`,
      async () => racesOverHttp(3, await newSettings()),
    ]),
  ),
};

describe('The reliability targets in small', () => {
  if (!hasMongo()) it(notRun('with two processes on one database', HOW));
  if (!hasPostgres()) it(`with two processes on one PostgreSQL schema (${POSTGRES_MISSING})`);
  for (const [title, run] of Object.entries({ ...IN_SMALL, ...ON_SERVERS }))
    it(title, async () => {
      const { figures, violations } = await run();
      expect(violations).to.deep.equal([]);
      expect(figures).not.to.deep.equal({});
    });
});

describe('The parser of structured fields', () => {
  it('takes lists of strings and integers with parameters', () => {
    const [first, second] = parseList('"a \\"b\\"";q=60;w=-1, 7');
    expect(first).to.deep.equal({
      value: 'a "b"',
      parameters: new Map([
        ['q', 60],
        ['w', -1],
      ]),
    });
    expect(second).to.deep.equal({ value: 7, parameters: new Map() });
  });

  for (const wrong of [
    '',
    'reads;q=1',
    '"reads',
    '"reads";Q=1',
    '"reads";q',
    '"reads" ;q=1',
    '"reads";q=1,',
    '"a\u00e4"',
    '1.5',
    '"a"x',
  ])
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      expect(() => parseList(wrong)).to.throw('is no structured field');
    });
});
