import { check, mustBeProblem, same, type Group } from './check.js';

/** Keys that do not exist. */
const UNKNOWN_KEYS = ['amk_', 'x', `amk_${'0'.repeat(36)}`, 'a'.repeat(500)];

export const credentials: Group = {
  name: 'Bad keys',
  checks: [
    check('a malformed key and an unknown one get the same answer', async (api) => {
      const bodies = new Set<string>();
      for (const key of UNKNOWN_KEYS) {
        const reply = await api.ask('/automations', { authorization: `Bearer ${key}` });
        mustBeProblem(reply, 401, 'invalid-token');
        bodies.add(reply.body.replace(/"instance":"[^"]*"/, ''));
      }
      same(bodies.size, 1, { request: 'GET /automations' }, 'the number of different responses to bad keys');
    }),
  ],
};
