import { expect } from 'chai';
import { overMemory } from '../../support/repositories.js';
import { exchange } from '../../support/routes/exchange.js';
import { registeredRoutes } from '../../support/routes/registered.js';
import { WITHOUT_ROUTE, WORST } from '../../support/routes/requests.js';
import type { WorstRequest } from '../../support/routes/worst-request.js';
import { requestText, type Who } from '../../support/routes/send.js';
import { Stage } from '../../support/routes/stage.js';
import { LIMITS, readRows } from '../../support/routes/table.js';
import { portOf, send } from '../../support/socket.js';

const ROWS = readRows();
const MAX_FREE_MS = 1;
const MAX_TURN_MS = 50;

/** How everyone else is refused, for each audience. */
const REFUSED: Readonly<Record<string, readonly (readonly [who: Who, GET: number, POST: number])[]>> = {
  anyone: [],
  'reading key': [
    ['anyone', 401, 401],
    ['writing key', 403, 403],
  ],
  'writing key': [
    ['anyone', 401, 401],
    ['reading key', 403, 403],
  ],
  scraper: [
    ['anyone', 401, 401],
    ['reading key', 401, 401],
  ],
  member: [['anyone', 303, 403]],
  seller: [
    ['anyone', 303, 403],
    ['buyer', 404, 404],
  ],
  operator: [
    ['anyone', 303, 403],
    ['seller', 404, 404],
  ],
};

describe('The table of routes', () => {
  let stage: Stage;
  before(async () => {
    stage = await Stage.open({ repositories: overMemory(), automations: 60, accounts: 5 });
  });
  after(() => stage.close());

  const statusOf = async (name: string, request: WorstRequest, who: Who) =>
    (await exchange(portOf(stage.service), requestText(stage, name, request, who))).status;

  /** Returns each method of each route, as the service itself names them. */
  const registered = async () => {
    const names: string[] = [];
    for (const route of registeredRoutes(stage.service)) {
      const make = WORST[`GET ${route}`] ?? WORST[`POST ${route}`];
      const { path = '' } = (await make?.(stage, 0)) ?? {};
      const headers = { Authorization: `Bearer ${stage.keys.reading}` };
      const answer = await send(stage.service.url, { method: 'OPTIONS', path, headers });
      const methods = (answer.headers.get('allow') ?? 'GET').split(', ');
      names.push(...['GET', 'POST'].filter((method) => methods.includes(method)).map((method) => `${method} ${route}`));
    }
    return names;
  };

  it('has a row for each route and method, and none for another', async () => {
    const names = ROWS.map(({ name }) => name);
    expect([...names].sort()).to.deep.equal([...(await registered()), ...Object.keys(WITHOUT_ROUTE)].sort());
  });

  it('knows the worst legal request of each row', () => {
    const names = [...Object.keys(WORST), ...Object.keys(WITHOUT_ROUTE)];
    expect(names.sort()).to.deep.equal(ROWS.map(({ name }) => name).sort());
    for (const { name, request } of ROWS) expect(request, name).not.to.equal('');
  });

  it('names what counts each request, or a cost below 1 ms', () => {
    for (const { name, limits, cost } of ROWS) {
      for (const limit of limits) expect(LIMITS, name).to.include(limit);
      if (limits.includes('none')) expect(cost.loopMs + cost.threadsMs, name).to.be.below(MAX_FREE_MS);
      expect(cost.turnMs, name).to.be.at.most(MAX_TURN_MS);
      expect(cost.bytes, name).to.be.above(0);
    }
  });

  for (const { name, who } of ROWS)
    it(`${name} is for ${who}, takes its worst request, and refuses everyone else`, async () => {
      const request = (await (WORST[name] ?? WITHOUT_ROUTE[name])?.(stage, 1)) ?? { path: '' };
      expect(Object.keys(REFUSED)).to.include(who);
      for (const [other, get, post] of REFUSED[who] ?? [])
        if (request.status === undefined)
          expect(await statusOf(name, request, other), other).to.equal(name.startsWith('GET') ? get : post);
      if (who === 'member' && /^GET [^:]*$/.test(name))
        expect(await statusOf(name, request, 'buyer')).to.be.within(200, 303);
      const status = await statusOf(name, request, who as Who);
      if (request.status === undefined) expect(status).to.be.within(200, 303);
      else expect(status).to.equal(request.status);
    });
});
