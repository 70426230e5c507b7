import { expect } from 'chai';
import { createClient } from '../../adapters/client/index.js';
import { parsePublicUrl } from '../../adapters/edge/public-url.js';
import { isIssuer } from '../../adapters/oauth/issuer.js';

describe('An address with letters such as ë, also after thousands of others', () => {
  for (const [name, take] of [
    ['a public URL', parsePublicUrl],
    ['an issuer', isIssuer],
    ['a base URL of the client', (baseUrl: string) => createClient({ baseUrl, key: 'k' })],
  ] as const)
    it(`may be ${name}`, () => {
      for (let n = 0; n < 20_000; n += 1) expect(Boolean(take('https://zoë.example'))).to.equal(true);
    });
});
