import { expect } from 'chai';
import { SECRET_PATTERNS } from '../../../adapters/file-inspection/secrets.js';
import { SECRETS } from './secrets.js';
import { inspect, workflowOf } from './workflow.js';

const kindsIn = async (content: unknown, name?: string) =>
  (await inspect(content, name)).violations.map(({ secret }) => secret);

describe('The table of secrets', () => {
  for (const { kind, secret } of SECRETS)
    it(`knows ${kind} by ${secret.slice(0, 12).replace(/\s/g, ' ')}…`, async () => {
      expect(await kindsIn(workflowOf({ parameters: { code: `const a = '${secret}';` } }))).to.include(kind);
    });

  it('has a made-up secret of each kind in these tests', () => {
    const kinds = new Set(SECRETS.map(({ kind }) => kind).concat('a key or token'));
    expect(kinds).to.deep.equal(new Set(SECRET_PATTERNS.map(({ kind }) => kind)));
  });

  for (const name of ['x-api-key', 'X-APIKey', 'Authorization', 'client_secret', 'api_token'])
    it(`knows a key by its name in a header, a query or a variable: ${name}`, async () => {
      const header = { name, value: '3f9a1c5e7b2d4f6a8c0e1b3d5f7a9c2e' };
      const headers = { headerParameters: { parameters: [{ name: 'Accept', value: 'a' }, header] } };
      const { violations } = await inspect(workflowOf({ name: 'Get', parameters: headers }));
      const place = `nodes / "Get" / parameters / headerParameters / parameters / "${name}" / value`;
      expect(violations).to.deep.equal([{ code: 'contains-secret', place, secret: 'a key or token' }]);
    });

  for (const [name, value] of [
    ['x-api-key', '={{ $json.key }}'],
    ['x-api-key', 'YOUR_KEY_COMES_HERE_AND_IS_LONG_ENOUGH'],
    ['x-api-key', '123456789012345678901234567890'],
    ['x-api-key', '3f9a1c5e7b2d'],
    ['Content-Type', '3f9a1c5e7b2d4f6a8c0e1b3d5f7a9c2e'],
    ['Authorization', '=Bearer {{ $json.accessTokenOfTheUserWhoIsSignedIn }}'],
    ['Authorization', 'Bearer abc'],
  ] as const)
    it(`takes ${name}: ${value} for none`, async () => {
      expect(await kindsIn(workflowOf({ parameters: { a: [{ name, value }] } }))).to.deep.equal([]);
    });

  it('names the line in a text', async () => {
    const [{ kind, secret } = expect.fail()] = SECRETS.slice(3);
    const { violations } = await inspect(`one\ntwo\n  key: ${secret}\n${secret}`, 'a.yaml');
    expect(violations.map(({ place }) => place)).to.deep.equal(['line 3', 'line 4']);
    expect(violations[0]?.secret).to.equal(kind);
  });

  it('does not show a secret that stands in the name of a step or of a member', async () => {
    for (const { secret } of SECRETS) {
      const named = workflowOf({ name: secret, parameters: { [secret]: { text: secret } } });
      const { violations, facts } = await inspect(named);
      expect(violations.length).to.be.greaterThan(0);
      expect(JSON.stringify(violations)).to.not.include(JSON.stringify(secret).slice(1, -1));
      expect(facts).to.be.an('object');
    }
  });

  it('reports at most five of each kind', async () => {
    const { secret } = SECRETS[3] ?? expect.fail();
    expect(await kindsIn(Array.from({ length: 1_000 }, () => secret))).to.have.length(5);
  });

  it('reads a bounded number of characters from each place, so that no text makes it slow', () => {
    for (const { kind, pattern } of SECRET_PATTERNS) {
      const bare = pattern.source
        .replace(/\\./g, 'x')
        .replace(/\[[^\]]*\]/g, 'x')
        .replace(/\(\?<?[=!:]/g, '(');
      expect(bare, kind).to.not.match(/[*+]|\{\d+,\}/);
      const repeats = Array.from(bare.matchAll(/\{(?:\d+,)?(\d+)\}/g), ([, most]) => Number(most));
      expect(
        repeats.reduce((sum, most) => sum + most, 0),
        kind,
      ).to.be.at.most(400);
      // A repeated group that repeats would try each way to share the characters.
      expect(bare.replace(/\([^()]*\)(?!\{)/g, ''), kind).to.not.match(/\{[^}]*\}\)\{/);
    }
  });
});
