import { expect } from 'chai';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { answersIn, FUNCTIONS, type Closing, type Mounted } from '../../support/mounted.js';
import { listening } from '../../support/socket.js';

type Handed = (request: IncomingMessage & { originalUrl?: string }, mountPath: string) => void;

/** How a host hands a request over. */
const HOSTS: Readonly<Record<string, Handed>> = {
  'that leaves the path': () => undefined,
  'that removes the path': (request, mountPath) => {
    request.url = removed(request.url, mountPath);
  },
  'that removes the path, and says so': (request, mountPath) => {
    request.originalUrl = request.url ?? '';
    request.url = removed(request.url, mountPath);
  },
};

function removed(url = '', mountPath: string): string {
  return url.slice(mountPath.length).replace(/^(?!\/)/, '/');
}

/** Returns what the paths are answered by a plain server that hands requests over so. */
function answersOf(mounted: Mounted, hand: Handed, mountPath: string): Promise<unknown> {
  return answersIn(mounted, mountPath, (handle) =>
    listening(
      createServer((request, response) => {
        hand(request, mountPath);
        handle(request, response);
      }),
    ),
  );
}

describe('A mount path', () => {
  for (const [name, mounted] of Object.entries(FUNCTIONS))
    for (const [host, hand] of Object.entries(HOSTS))
      it(`of ${name} means the same in a host ${host}`, async () => {
        expect(await answersOf(mounted, hand, '/market')).to.deep.equal(mounted.answers);
      });

  it('may be a path of ours as well: what the host received tells whether it was removed', async () => {
    for (const name of ['createHttpApp', 'dispatcher', 'createService'])
      for (const host of ['that leaves the path', 'that removes the path, and says so']) {
        const { newHandler } = FUNCTIONS[name] as Mounted;
        const answers = { '/api/categories': 401, '/v1/categories': 401 };
        expect(await answersOf({ newHandler, answers }, HOSTS[host] as Handed, '/api'), name).to.deep.equal(answers);
      }
  });

  it('is behind the path of metadata, which a host may remove as well if it says so', async () => {
    const made = (await FUNCTIONS['createService']?.newHandler('/market')) as Closing;
    const host = await listening(
      createServer((request, response) => {
        made.handle(Object.assign(request, { originalUrl: request.url, url: '/' }), response);
      }),
    );
    const metadata = await fetch(`${host.url}/.well-known/oauth-authorization-server/market/oauth`);
    expect(await metadata.json()).to.include({ issuer: 'http://127.0.0.1/market/oauth' });
    await host.close();
    await made.close();
  });

  it('is removed for the application alone: the host sees the address as it was', async () => {
    const handle = FUNCTIONS['createHttpApp']?.newHandler('/market') as RequestListener;
    const seen: unknown[] = [];
    const host = await listening(
      createServer((request, response) => {
        response.on('close', () => seen.push(request.url));
        handle(request, response);
      }),
    );
    await fetch(`${host.url}/market/api/categories?a=1`);
    await host.close();
    expect(seen).to.deep.equal(['/market/api/categories?a=1']);
  });
});
