import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createService } from '../../../composition/create-service.js';

const METADATA = '/.well-known/oauth-authorization-server';
const METADATA_PATH = '/.well-known/oauth-protected-resource';

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

  it("under a mount path, the metadata are before the issuer's whole path and within it", async () => {
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

interface Mounted {
  readonly publicUrl?: string;
  readonly mountPath?: string;
}

const RESOURCES = ['/api', '/mcp'];

/** The path of the public address, that of the mount, and what a proxy leaves of the first one. */
const MOUNTS: readonly (readonly [title: string, options: Mounted])[] = [
  ['at the address of this machine', {}],
  ['under a mount path', { mountPath: '/market(1)' }],
  ['at a public address', { publicUrl: 'https://market.example' }],
  ['at a public address with a path', { publicUrl: 'https://market.example/shop' }],
  ['at a public address with a path, under a mount path', { publicUrl: 'https://market.example/a', mountPath: '/b' }],
];

describe('The metadata of the API and of the tools for agents (RFC 9728)', () => {
  for (const [title, options] of MOUNTS)
    it(`is where challenges lead, and where clients derive it from the resource, ${title}`, async () => {
      const service = await createService({ storage: inMemoryStorage(), ...options });
      const { port } = (await service.listen(0)).address() as AddressInfo;
      const { publicUrl = `http://127.0.0.1:${port}`, mountPath = '' } = options;
      const read = async (url: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${pathOf(url)}`, { method });
      // A proxy passes what is below the path of the public address on without it, and what is at the root as it is.
      const pathOf = (url: string) => url.replace(publicUrl, '').replace(new URL(publicUrl).origin, '');
      for (const end of RESOURCES) {
        const resource = publicUrl + mountPath + end;
        const { origin, pathname } = new URL(resource);
        const challenge = (await read(resource, 'POST')).headers.get('WWW-Authenticate') ?? '';
        const named = /, resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? '';
        expect(named).to.equal(publicUrl + mountPath + METADATA_PATH + end);
        for (const address of [named, origin + METADATA_PATH + pathname]) {
          const answer = await read(address);
          expect([address, answer.status]).to.deep.equal([address, 200]);
          expect(await answer.json()).to.include({ resource });
        }
      }
      await service.close();
    });

  it('leads to the metadata of the server, wherever clients look for it', async () => {
    const options = { publicUrl: 'https://market.example/a', mountPath: '/b' };
    const paths = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
      `/.well-known/${name}/a/b/oauth`,
      `/b/.well-known/${name}/oauth`,
    ]);
    const issuers = await issuersAt(options, [...paths, '/b/oauth/.well-known/openid-configuration']);
    expect(issuers).to.deep.equal(Array(5).fill('https://market.example/a/b/oauth'));
  });

  it('is nowhere else', async () => {
    const options = { publicUrl: 'https://market.example/shop' };
    const paths = ['/other/api', '/apix', '/shop/mcp/x', '/api/', '/shop/'].map((end) => METADATA_PATH + end);
    expect(await issuersAt(options, paths)).to.deep.equal(Array(5).fill(404));
  });
});
