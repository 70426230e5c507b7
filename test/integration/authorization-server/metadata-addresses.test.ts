import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createService } from '../../../composition/create-service.js';
import { METADATA_PATH } from '../../../adapters/http/probes/resource-metadata.js';

const METADATA = '/.well-known/oauth-authorization-server';

/** Returns what a service answers at these paths: the issuer in a document, else the status. */
async function issuersAt(
  options: Readonly<Record<string, string>>,
  paths: readonly string[],
): Promise<readonly (string | number)[]> {
  const service = await createService({ storage: inMemoryStorage(), ...options });
  const { port } = (await service.listen(0)).address() as AddressInfo;
  const start = `http://127.0.0.1:${port}`;
  const found = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(start + path);
      if (response.status !== 200) return response.status;
      const { issuer, authorization_servers: servers } = (await response.json()) as Partial<
        Record<'issuer' | 'authorization_servers', string>
      >;
      return String(issuer ?? servers).replace(start, '');
    }),
  );
  await service.close();
  return found;
}

describe('The metadata of the authorization server (RFC 8414)', () => {
  it('is where the metadata of the API and of the tools leads: before the path of the issuer', async () => {
    const paths = [METADATA_PATH, `${METADATA_PATH}/mcp`, `${METADATA}/oauth`, METADATA, `${METADATA}/other`];
    expect(await issuersAt({}, paths)).to.deep.equal(['/oauth', '/oauth', '/oauth', 404, 404]);
  });

  it('under a mount path is outside of it, before the whole path of the issuer, and within it as well', async () => {
    const paths = [`/market(1)${METADATA_PATH}`, `${METADATA}/market(1)/oauth`, `/market(1)${METADATA}/oauth`];
    const issuer = '/market(1)/oauth';
    expect(await issuersAt({ mountPath: '/market(1)' }, paths)).to.deep.equal([issuer, issuer, issuer]);
  });

  it('of a public address with a path is before that path, as a proxy passes it on', async () => {
    const publicUrl = 'https://market.example/shop';
    const paths = [`${METADATA}/shop/oauth`, `${METADATA}/oauth`, METADATA_PATH];
    expect(await issuersAt({ publicUrl }, paths)).to.deep.equal(Array(3).fill(`${publicUrl}/oauth`));
  });
});
