import { expect } from 'chai';
import { InMemoryApiKeyVerifier } from '../../../adapters/in-memory/api-key-verifier.js';
import { RoutingApiKeyVerifier } from '../../../application/routing-api-key-verifier.js';
import type { ApiKeyVerifier } from '../../../domain/ports.js';
import { apiKeyVerifierContract } from '../../contracts/index.js';
import { ada, bob } from './people.js';

const KEY = `amk_${'0'.repeat(36)}`;

/** Takes everything, and notes it. */
class Witness implements ApiKeyVerifier {
  readonly shown: string[] = [];

  constructor(private readonly caller: typeof ada) {}

  async verify(credential: string) {
    this.shown.push(credential);
    return this.caller;
  }
}

describe('keys and tokens side by side', () => {
  it('are each shown to the one that knows them, and to nobody else', async () => {
    const [keys, tokens] = [new Witness(ada), new Witness(bob)];
    const verifier = new RoutingApiKeyVerifier(keys, tokens);
    const asKeys = [
      KEY,
      KEY.slice(0, -1),
      `${KEY}.a.b`,
      'amk_',
      'amk_.e30.x',
      '',
      'session-1',
      'a.b.c',
      ` ${KEY}`,
      'eyJ.e30',
      'eyJ.e30.x.y',
      `oauth:${KEY}`,
    ];
    const spaced = ['{ "alg": "ES256" }', '{\n  "alg": "ES256"\n}', '{\r\n"alg":"ES256"}', '{\t"alg":"ES256"}'];
    const asTokens = [
      'eyJ.e30.x',
      'eyJhbGciOiJub25lIn0.eyJ_-.0',
      ...spaced.map((header) => `${Buffer.from(header).toString('base64url')}.e30.x`),
    ];
    for (const credential of asKeys) expect(await verifier.verify(credential)).to.equal(ada);
    for (const credential of asTokens) expect(await verifier.verify(credential)).to.equal(bob);
    expect([keys.shown, tokens.shown]).to.deep.equal([asKeys, asTokens]);
  });

  it('fail as the one that was asked fails', async () => {
    const away = { verify: () => Promise.reject(new Error('away')) };
    const verifier = new RoutingApiKeyVerifier(new Witness(ada), away);
    expect(await verifier.verify(KEY)).to.equal(ada);
    expect(await verifier.verify('eyJ.e30.x').catch((error: unknown) => String(error))).to.equal('Error: away');
  });

  apiKeyVerifierContract((callers) => {
    const known = callers.map((caller, index) => [index === 0 ? KEY : `eyJ.e30.${index}`, caller] as const);
    const [keys, tokens] = [known.slice(0, 1), known.slice(1)].map((some) => new InMemoryApiKeyVerifier(some));
    if (keys === undefined || tokens === undefined) throw new Error('there are two');
    return {
      verifier: new RoutingApiKeyVerifier(keys, tokens),
      credentials: known.map(([credential]) => credential),
      ended: [],
    };
  });
});
