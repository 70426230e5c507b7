import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { agentDocuments } from '../../../adapters/authorization-server/agent-documents.js';

const ID = 'https://agent.example/client.json';
const LOOPBACK = 'http://127.0.0.1/callback';
const MINIMAL = { client_id: ID, redirect_uris: [LOOPBACK] };
const USABLE = {
  ...MINIMAL,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
};
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** A site that gives an answer, how often it was asked, and a clock. */
function siteWith(answer: () => Response | Promise<Response>) {
  const site = { asked: 0, now: 1_000_000 };
  const fetch = agentDocuments(
    async () => {
      site.asked += 1;
      return answer();
    },
    () => site.now,
  );
  return { site, fetch };
}

async function usableIn(document: unknown): Promise<unknown> {
  return (await siteWith(() => Response.json(document)).fetch(ID)).json();
}

describe('A metadata document of an agent', () => {
  it('may be minimal: the agent has no secret, gets codes, and reads', async () => {
    expect(await usableIn(MINIMAL)).to.deep.equal(USABLE);
  });

  const LEFT_OUT: Readonly<Record<string, object>> = {
    'addresses that the server leads nobody to': {
      redirect_uris: [LOOPBACK, 'cursor://anysphere.cursor-mcp/oauth/callback', 'javascript:alert(1)', 1, null],
    },
    'the kind of application': { application_type: 'web' },
    'a scope that is not of this marketplace': { scope: 'mcp:tools profile' },
    'a scope that is no text': { scope: ['automations:read'] },
    'a name that is no text': { client_name: { en: 'Agent' } },
    'grants that agents do not have': { grant_types: ['authorization_code', 'client_credentials', 'implicit', 7] },
    'types of responses that there are none of': { response_types: ['token', 'code', 'code id_token'] },
    'ways of responses': { response_modes: ['form_post'] },
    'addresses of pages and pictures': {
      client_uri: 'http://agent.example',
      logo_uri: 'data:image/png;base64,',
      tos_uri: 7,
      policy_uri: '/',
    },
    'keys, and where they are': { jwks: { keys: [] }, jwks_uri: 'https://127.0.0.1/keys' },
    'an address that would be fetched': { sector_identifier_uri: 'https://127.0.0.1/sector', subject_type: 'pairwise' },
    'how it wants to be told who a person is': {
      id_token_signed_response_alg: 'ES512',
      default_max_age: -1,
      require_auth_time: 'yes',
      default_acr_values: ['x'],
    },
    'what is in no standard': { software_id: '4', contacts: 'me', __proto__: { x: 1 }, x: { y: 'z' } },
  };
  for (const [title, members] of Object.entries(LEFT_OUT))
    it(`is used without ${title}`, async () => {
      expect(await usableIn({ ...MINIMAL, ...members })).to.deep.equal(USABLE);
    });

  it('keeps the scopes of this marketplace, and what every client may ask for', async () => {
    const { scope } = (await usableIn({ ...MINIMAL, scope: 'mcp:tools automations:read' })) as { scope: string };
    expect(scope).to.equal('automations:read openid offline_access');
  });

  it('of an agent on a device needs no address', async () => {
    const { redirect_uris: _none, ...rest } = MINIMAL;
    expect(
      await usableIn({ ...rest, grant_types: [DEVICE_CODE, 'refresh_token', 'authorization_code'] }),
    ).to.deep.equal({
      ...USABLE,
      redirect_uris: [],
      response_types: [],
      grant_types: [DEVICE_CODE, 'refresh_token'],
    });
  });

  it('is not made good by leaving out its secret, its method or the id of another one', async () => {
    for (const members of [
      { client_secret: 'x' },
      { client_secret_expires_at: 0 },
      { token_endpoint_auth_method: 'private_key_jwt' },
      { token_endpoint_auth_method: 7 },
      { client_id: 'https://other.example' },
      { client_id: undefined },
    ])
      expect(await usableIn({ ...MINIMAL, ...members })).to.deep.equal(
        JSON.parse(JSON.stringify({ ...USABLE, ...members })),
      );
  });

  for (const document of [null, [], 'text', 7])
    it(`that is ${JSON.stringify(document)} is handed on as it is`, async () => {
      expect(await usableIn(document)).to.deep.equal(document);
    });

  it('tells how long it may be kept', async () => {
    const headers = { 'Cache-Control': 'max-age=600', Expires: '0', 'Set-Cookie': 'a=b', 'Content-Type': 'text/html' };
    const answered = await siteWith(() => Response.json(MINIMAL, { headers })).fetch(ID);
    expect(Object.fromEntries(answered.headers)).to.deep.equal({
      'cache-control': 'max-age=600',
      'content-type': 'application/json',
      expires: '0',
    });
  });
});

describe('What came of a metadata document', () => {
  const failures: Readonly<Record<string, readonly [() => Response | Promise<Response>, string]>> = {
    'no connection': [() => Promise.reject(new Error('connect ECONNREFUSED')), 'connect ECONNREFUSED'],
    'another status': [() => new Response('{}', { status: 404 }), 'the answer has the status 404, not 200'],
    'an answer without a body': [() => new Response(null), 'Unexpected end of JSON input'],
    'more than 5 KB': [() => new Response('x'.repeat(5 * 1024 + 1)), 'the document is longer than 5120 bytes'],
  };
  for (const [title, [answer, message]] of Object.entries(failures))
    it(`holds for a minute, also when it is ${title}: then it is asked for again`, async () => {
      const { site, fetch } = siteWith(answer);
      const refusal = () =>
        fetch(ID).then(
          () => '',
          (error: unknown) => (error as Error).message,
        );
      expect([await refusal(), await refusal()]).to.deep.equal([message, message]);
      site.now += 59_000;
      await Promise.all([refusal(), refusal()]);
      expect(site.asked).to.equal(1);
      site.now += 2_000;
      // For a millisecond the time that was read counts.
      await setTimeout(5);
      await Promise.all([refusal(), refusal()]);
      expect(site.asked).to.equal(2);
    });

  it('is of one address alone', async () => {
    const { site, fetch } = siteWith(() => Response.json(MINIMAL));
    for (const address of [ID, `${ID}?`, new URL(ID), new Request(ID)]) await fetch(address);
    expect(site.asked).to.equal(2);
  });
});
