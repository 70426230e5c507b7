import { check, must, problemOf, same, type Group } from './check.js';
import type { Reply } from './api.js';

const PLAIN = 'Bearer realm="automation-marketplace"';
const PATHS = ['/automations', '/automations/x', '/categories', '/nothing-here'];
/** Keys that do not exist. */
const UNKNOWN_KEYS = ['amk_', 'x', `amk_${'0'.repeat(36)}`, 'a'.repeat(500)];

function challenge(reply: Reply, pattern: RegExp): void {
  const field = reply.headers.get('WWW-Authenticate') ?? '';
  must(pattern.test(field), reply, `WWW-Authenticate is ${field || 'missing'}`);
}

export const credentials: Group = {
  name: 'Credentials',
  checks: [
    check('without a key every path is 401 missing-credentials, with a challenge that names no error', async (api) => {
      for (const path of PATHS)
        for (const authorization of [null, 'Basic YTpi', 'Bearer']) {
          const reply = await api.ask(path, { authorization });
          problemOf(reply, 401, 'missing-credentials');
          challenge(reply, /^Bearer realm="automation-marketplace"(?!.*error=)/);
        }
    }),
    check('a key that is malformed or unknown is 401 invalid-token, the same for both', async (api) => {
      const bodies = new Set<string>();
      for (const key of UNKNOWN_KEYS) {
        const reply = await api.ask('/automations', { authorization: `Bearer ${key}` });
        problemOf(reply, 401, 'invalid-token');
        challenge(reply, /error="invalid_token"/);
        bodies.add(reply.text.replace(/"instance":"[^"]*"/, ''));
      }
      same(bodies.size, 1, { request: 'GET /automations' }, 'the number of different responses to bad keys');
    }),
    check('an unknown path is 404 with a key only', async (api) => {
      problemOf(await api.ask('/nothing-here'), 404, 'not-found');
      problemOf(await api.ask('/nothing-here', { authorization: 'Bearer x' }), 401, 'invalid-token');
    }),
    check('the scheme is case-insensitive', async (api) => {
      for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
        same(
          (await api.ask('/categories', { authorization: `${scheme} ${api.key}` })).status,
          200,
          { request: `${scheme} ...` },
          'the status',
        );
    }),
    check('the key is read only from the header', async (api) => {
      const path = `/automations?access_token=${encodeURIComponent(api.key)}`;
      problemOf(await api.ask(path, { authorization: null }), 401, 'missing-credentials');
      problemOf(await api.ask(path), 400, 'invalid-query');
      problemOf(
        await api.ask('/automations', { authorization: null, headers: { 'X-Api-Key': api.key } }),
        401,
        'missing-credentials',
      );
    }),
    check('the challenge names the realm', async (api) => {
      const reply = await api.ask('/automations', { authorization: null });
      must(
        (reply.headers.get('WWW-Authenticate') ?? '').startsWith(PLAIN),
        reply,
        `WWW-Authenticate does not begin with ${PLAIN}`,
      );
    }),
  ],
};
