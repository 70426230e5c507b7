import { expect } from 'chai';
import { slugOf } from '../../support/service/client.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { allPaths, METHODS, UNKNOWN_PATHS } from '../../support/service/routes.js';
import { spied } from '../../support/service/spy.js';

const METADATA = '/.well-known/oauth-protected-resource/api';
const ID = '00000000-0000-7000-8000-000000000000';

onEveryStorage('Without a key', (stage) => {
  it('each route and unknown path answers 401 to any method, and the store is not asked', async () => {
    const { repositories, calls } = spied(await stage.fresh());
    await stage.restart({ repositories });
    calls.length = 0;
    const stranger = stage.client();
    const challenge = `Bearer realm="automation-marketplace", resource_metadata="${stage.service.url}${METADATA}"`;
    const paths = [...allPaths(ID), ...UNKNOWN_PATHS];
    expect(paths).to.have.length.of.at.least(32);
    for (const path of paths)
      for (const method of METHODS) {
        const answer = await stranger.send(path, { method });
        expect(answer.status, `${method} ${path}`).to.equal(401);
        expect(answer.headers['www-authenticate'], `${method} ${path}`).to.equal(challenge);
        expect(answer.headers.allow, `${method} ${path}`).to.equal(undefined);
        if (method === 'HEAD') expect(answer.text).to.equal('');
        else expect(slugOf(answer), `${method} ${path}`).to.equal('missing-credentials');
      }
    expect(calls).to.deep.equal([]);
  });
});
