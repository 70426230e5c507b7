import { expect } from 'chai';
import { SECRET_PATTERNS } from '../../../adapters/file-inspection/secrets.js';
import { SECRETS } from './secrets.js';
import { inspect, workflowOf } from './workflow.js';

const kindsIn = async (content: unknown, name?: string) =>
  (await inspect(content, name)).violations.map(({ detail }) => detail.replace(/^.* what looks like /s, ''));

const HEX_KEY = '3f9a1c5e7b2d4f6a8c0e1b3d5f7a9c2e';

describe('The table of secrets', () => {
  for (const { kind, secret } of SECRETS)
    it(`knows ${kind} by ${secret.slice(0, 12).replace(/\s/g, ' ')}…`, async () => {
      expect(await kindsIn(workflowOf({ parameters: { code: `const a = '${secret}';` } }))).to.include(kind);
    });

  it('has a made-up secret for each pattern in these tests', () => {
    for (const { kind, pattern } of SECRET_PATTERNS.filter((one) => one.kind !== 'a key or token'))
      expect(
        SECRETS.some((one) => one.kind === kind && one.secret.search(pattern) !== -1),
        pattern.source,
      ).to.equal(true);
  });

  for (const [name, value] of [
    ...['x-api-key', 'X-APIKey', 'Authorization', 'client_secret', 'api_token'].map((one) => [one, HEX_KEY] as const),
    ['aws_secret_access_key', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'],
    ['x-auth-token', `${HEX_KEY}.${HEX_KEY}=`],
  ] as const)
    it(`knows a key by its name in a header, a query or a variable: ${name}`, async () => {
      const header = { name, value };
      const headers = { headerParameters: { parameters: [{ name: 'Accept', value: 'a' }, header] } };
      const { violations } = await inspect(workflowOf({ name: 'Get', parameters: headers }));
      const place = `nodes / "Get" / parameters / headerParameters / parameters / "${name}" / value`;
      const detail = `must contain no secret; ${place} has what looks like a key or token`;
      expect(violations).to.deep.equal([{ code: 'contains-secret', place, detail }]);
    });

  for (const [name, value] of [
    ['x-api-key', '={{ $json.key }}'],
    ['x-api-key', 'YOUR_KEY_COMES_HERE_AND_IS_LONG_ENOUGH'],
    ['x-api-key', '123456789012345678901234567890'],
    ['x-api-key', '3f9a1c5e7b2d'],
    ['Content-Type', '3f9a1c5e7b2d4f6a8c0e1b3d5f7a9c2e'],
    ['Authorization', '=Bearer {{ $json.accessTokenOfTheUserWhoIsSignedIn }}'],
    ['Authorization', 'Bearer abc'],
    [
      'address',
      'postgres://user:password@db.example, https://a.example:8080/@ada and https://a:{{ $json.b }}@c.example',
    ],
  ] as const)
    it(`takes ${name}: ${value} for none`, async () => {
      expect(await kindsIn(workflowOf({ parameters: { a: [{ name, value }] } }))).to.deep.equal([]);
    });

  it('names the line in a text', async () => {
    const { kind, secret } = SECRETS[3] ?? expect.fail();
    const { violations } = await inspect(`one\ntwo\n  key: ${secret}\n${secret}`, 'a.yaml');
    expect(violations.map(({ place }) => place)).to.deep.equal(['line 3', 'line 4']);
    expect(violations[0]?.detail).to.match(new RegExp(`${kind}$`));
  });

  it('does not show a secret that stands in the name of a step or of a member', async () => {
    for (const { secret } of SECRETS) {
      const named = workflowOf({ name: secret, parameters: { [secret]: { text: secret } } });
      const { violations, facts } = await inspect(named);
      expect(violations.length).to.be.greaterThan(0);
      expect(JSON.stringify([violations, facts])).to.not.include(JSON.stringify(secret).slice(1, -1));
    }
  });

  it('does not show one that is known by the text in front of it, or that facts would repeat', async () => {
    const named = { name: 'token', value: { [HEX_KEY]: 1 } };
    const { violations: ofJson } = await inspect({ x: named });
    expect(ofJson.map(({ place }) => place)).to.deep.equal(['x / value / …']);
    const { secret } = SECRETS[3] ?? expect.fail();
    const url = 'postgres://ada:secret-of-ada@db.example';
    const parameters = {
      spreadsheetId: secret,
      documentId: { name: 'token', value: HEX_KEY },
      boardId: 'board-7',
      url,
    };
    const { facts, violations } = await inspect(workflowOf({ parameters, credentials: { [secret]: {} } }));
    expect(violations).to.have.length(4);
    expect(facts?.remaining).to.deep.equal({ documents: ['board-7'], hosts: [], emails: [] });
    expect(facts?.credentials).to.deep.equal([]);
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
