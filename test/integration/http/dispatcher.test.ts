import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { dispatcher } from '../../../adapters/api/index.js';

/** Answers with its name and the address that it was handed. */
const named =
  (name: string): RequestListener =>
  ({ url }, response) =>
    response.end(`${name} ${url}`);

const APPLICATIONS = {
  api: named('api'),
  panel: named('panel'),
  catalogue: named('catalogue'),
  files: named('files'),
  mcp: named('mcp'),
  authorizationServer: named('server'),
  pages: named('pages'),
};

/** Returns what a server with this handler answers to each target. */
async function answersOf(handler: RequestListener, targets: readonly string[]): Promise<readonly string[]> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = await Promise.all(targets.map((path) => answerOf(port, path)));
  server.close().closeAllConnections();
  return answers;
}

async function answerOf(port: number, path: string): Promise<string> {
  const [response] = (await once(request({ port, host: '127.0.0.1', path }).end(), 'response')) as [IncomingMessage];
  return (await text(response)) || String(response.statusCode);
}

describe('The dispatcher under a mount path', () => {
  const EXPECTED: Readonly<Record<string, string>> = {
    '/market/api/automations?page=2': 'api /api/automations?page=2',
    '/market/v1': 'api /v1',
    '/market/panel': 'panel /panel',
    '/market/panel/keys?a=/market/b': 'panel /panel/keys?a=/market/b',
    '/market/catalogue/tools': 'catalogue /catalogue/tools',
    '/market/sitemap.xml': 'catalogue /sitemap.xml',
    '/market/files/1?a': 'files /files/1?a',
    '/market/filesx': 'pages /filesx',
    '/market/mcp': 'mcp /mcp',
    '/market/mcpx': 'pages /mcpx',
    '/market/oauth': 'server /oauth',
    '/market/oauth/token?a=1': 'server /oauth/token?a=1',
    '/market/oauthx': 'pages /oauthx',
    '/market/.well-known/oauth-authorization-server/oauth': 'server /.well-known/oauth-authorization-server/oauth',
    '/.well-known/oauth-authorization-server/market/oauth':
      'server /.well-known/oauth-authorization-server/market/oauth',
    '/.well-known/openid-configuration/market/oauth': 'server /.well-known/openid-configuration/market/oauth',
    '/.well-known/oauth-authorization-server/oauth': 'own /.well-known/oauth-authorization-server/oauth',
    '/.well-known/oauth-protected-resource/market': 'pages /.well-known/oauth-protected-resource/market',
    '/.well-known/oauth-protected-resource/market/api': 'pages /.well-known/oauth-protected-resource/market/api',
    '/.well-known/oauth-protected-resource/market/mcp': 'pages /.well-known/oauth-protected-resource/market/mcp',
    '/.well-known/oauth-protected-resource/market/mcp/x': 'own /.well-known/oauth-protected-resource/market/mcp/x',
    '/.well-known/oauth-protected-resource': 'own /.well-known/oauth-protected-resource',
    '/market/.well-known/oauth-protected-resource/mcp': 'pages /.well-known/oauth-protected-resource/mcp',
    '/market/problems': 'pages /problems',
    '/market': 'pages /',
    '/market?q=1': 'pages /?q=1',
    '/market//other.example': 'pages //other.example',
    '/market/market/api': 'pages /market/api',
    'http://market.example/market/api?q=1': 'api http://market.example/api?q=1',
    'http://market.example/market': 'pages http://market.example/',
    '/': 'own /',
    '/marketplace/api': 'own /marketplace/api',
    '/api/automations': 'own /api/automations',
    '/panel?back=/market/api': 'own /panel?back=/market/api',
    'http://market.example/api': 'own http://market.example/api',
  };

  it('removes the path from the address, hands it on, and leaves what is outside to the host', async () => {
    const handler = dispatcher({ ...APPLICATIONS, mountPath: '/market', outside: named('own') });
    expect(await answersOf(handler, Object.keys(EXPECTED))).to.deep.equal(Object.values(EXPECTED));
  });

  it('leaves the metadata of an authorization server to the host when there is none', async () => {
    const { authorizationServer: _without, pages: _none, ...others } = APPLICATIONS;
    const handler = dispatcher({ ...others, mountPath: '/market', outside: named('own') });
    const path = '/.well-known/oauth-authorization-server/market/oauth';
    const ofResource = '/.well-known/oauth-protected-resource/market/api';
    expect(await answersOf(handler, [path, ofResource, '/market/oauth/token'])).to.deep.equal([
      `own ${path}`,
      `own ${ofResource}`,
      'api /oauth/token',
    ]);
  });

  it('hands on metadata with the path of the public address, and leaves others to the host', async () => {
    const options = { mountPath: '/market', publicUrl: 'https://market.example/shop', outside: named('own') };
    const paths = ['/shop/market/api', '/market/api', '/other/market/api'].map(
      (end) => `/.well-known/oauth-protected-resource${end}`,
    );
    const server = '/.well-known/oauth-authorization-server/shop/market/oauth';
    expect(await answersOf(dispatcher({ ...APPLICATIONS, ...options }), [...paths, server])).to.deep.equal([
      `pages ${paths[0]}`,
      `own ${paths[1]}`,
      `own ${paths[2]}`,
      `server ${server}`,
    ]);
  });

  it('takes the mount path as removed by the host where the host hands in nothing outside', async () => {
    const handler = dispatcher({ ...APPLICATIONS, mountPath: '/market' });
    expect(await answersOf(handler, ['/api', '/market/api', '/marketplace'])).to.deep.equal([
      'api /api',
      'api /api',
      'pages /marketplace',
    ]);
  });

  it('leads from the mount path itself to the pages, else to the catalogue, else to the panel', async () => {
    const { pages: _pages, ...others } = APPLICATIONS;
    const { catalogue: _catalogue, ...withPanel } = others;
    const { panel: _panel, ...alone } = withPanel;
    for (const [applications, expected] of [
      [APPLICATIONS, 'pages'],
      [others, 'catalogue'],
      [withPanel, 'panel'],
      [alone, 'api'],
    ] as const)
      expect(await answersOf(dispatcher({ ...applications, mountPath: '/market' }), ['/market?a=1'])).to.deep.equal([
        `${expected} /?a=1`,
      ]);
  });

  it('without a mount path hands the paths of an authorization server to it, and no others', async () => {
    const paths = [
      '/oauth/auth?a=1',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/shop/oauth',
      '/.well-known/openid-configuration/oauth',
    ];
    const others = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-serverx', '/oauth2'];
    expect(await answersOf(dispatcher(APPLICATIONS), [...paths, ...others])).to.deep.equal([
      ...paths.map((path) => `server ${path}`),
      ...others.map((path) => `pages ${path}`),
    ]);
  });

  it('refuses a mount path that is not valid, with the rule', () => {
    for (const mountPath of ['market', '/market/', '/'])
      expect(() => dispatcher({ ...APPLICATIONS, mountPath })).to.throw(TypeError, 'mountPath must begin with a slash');
  });
});
