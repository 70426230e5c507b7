import { expect } from 'chai';
import type { Audience } from '../../../adapters/panel/request.js';
import { ROUTES, type PanelRoute as Route } from '../../../adapters/panel/routes.js';
import { Visitor, type Posting } from '../../support/panel-visitor.js';
import { overMemory } from '../../support/repositories.js';
import { WORST } from '../../support/routes/requests.js';
import { Stage } from '../../support/routes/stage.js';
import { readRows } from '../../support/routes/table.js';

type Person = 'buyer' | 'seller' | 'operator';

/** Those who are signed in and find a page, and those for whom there is none. The first has what the requests name. */
const PEOPLE: Readonly<Record<Audience, { readonly admitted: readonly Person[]; readonly others: readonly Person[] }>> =
  {
    visitor: { admitted: [], others: [] },
    member: { admitted: ['seller', 'operator', 'buyer'], others: [] },
    seller: { admitted: ['seller', 'operator'], others: ['buyer'] },
    operator: { admitted: ['operator'], others: ['seller', 'buyer'] },
  };

/** What is said where there is no page: of a thing that is not there, something else is said. */
const NO_PAGE = 'The address may be wrong, or the page was removed.';

const nameOf = ({ method, path }: Route) => `${method} /panel${path}`;

describe('The routes of the panel', () => {
  let stage: Stage;
  let sent = 0;
  before(async () => {
    stage = await Stage.open({ repositories: overMemory(), automations: 10, accounts: 2 });
  });
  after(() => stage.close());

  const send = async (route: Route, visitor: Visitor, posting: Posting = {}) => {
    sent += 1;
    const worst = (await WORST[nameOf(route)]?.(stage, sent)) ?? { path: '' };
    const { path, fields = {} } = worst;
    const answer =
      route.method === 'GET' ? (worst.browser ?? visitor).open(path) : visitor.submit(path, fields, posting);
    return { path, ...(await answer) };
  };

  it('are for whom docs/routes.md says', () => {
    const documented = new Map(readRows().map(({ name, who }) => [name, who]));
    for (const route of ROUTES)
      expect(documented.get(nameOf(route)), nameOf(route)).to.equal(
        route.audience === 'visitor' ? 'anyone' : route.audience,
      );
  });

  for (const route of ROUTES) {
    const { method, audience } = route;
    const { admitted, others } = PEOPLE[audience];

    if (audience === 'visitor')
      it(`${nameOf(route)} is for a visitor who is not signed in`, async () => {
        expect((await send(route, new Visitor(stage.service.url))).status).to.be.oneOf([200, 303]);
      });
    else if (method === 'GET')
      it(`${nameOf(route)} leads a visitor to the sign-in, and from there back`, async () => {
        const { path, status, headers } = await send(route, new Visitor(stage.service.url));
        const next = path === '/panel' ? '' : `?${new URLSearchParams({ next: path }).toString()}`;
        expect([status, headers.get('location')]).to.deep.equal([303, `/panel/sign-in${next}`]);
      });
    else
      it(`${nameOf(route)} asks a visitor to sign in`, async () => {
        const { status, body } = await send(route, new Visitor(stage.service.url));
        expect([status, body.includes('<h1>Sign in</h1>')]).to.deep.equal([403, true]);
      });

    if (audience !== 'visitor')
      it(`${nameOf(route)} is for ${admitted.join(', ')}, and for no other person`, async () => {
        for (const person of [...admitted, ...others]) {
          const { status, body } = await send(route, stage.visitors[person], { withToken: false });
          expect(body.includes(NO_PAGE), person).to.equal(others.includes(person));
          if (others.includes(person)) expect(status, person).to.equal(404);
        }
      });

    if (method === 'POST')
      it(`${nameOf(route)} takes no form of another site`, async () => {
        const visitor =
          audience === 'visitor' ? new Visitor(stage.service.url) : stage.visitors[admitted[0] ?? 'seller'];
        for (const origin of ['https://evil.example', 'null']) {
          const { status, body } = await send(route, visitor, {
            headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
          });
          expect([status, body.includes('It seems to come from another site')], origin).to.deep.equal([403, true]);
        }
      });
  }
});
