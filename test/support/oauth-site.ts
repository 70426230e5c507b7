import { createServer } from 'node:http';
import type { Asked, OAuthApp } from './oauth-app.js';
import { listening, portOf } from './socket.js';

const PAGE = '<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><body>';

type Tokens = Awaited<ReturnType<OAuthApp['exchange']>>;

/** The site of an app, on an origin of its own: a page that leads to the server, and one to which that leads back. */
export interface AppSite {
  readonly url: string;
  readonly redirectUri: string;
  /** The tokens that the app got so far. */
  readonly tokens: readonly Tokens[];
  /** Says which app it is the site of. */
  serve(app: OAuthApp): void;
  close(): Promise<void>;
}

export async function openAppSite(host: 'localhost' | '127.0.0.1'): Promise<AppSite> {
  const tokens: Tokens[] = [];
  const now: { app?: OAuthApp; asked?: Asked } = {};
  const text = async (url: URL): Promise<string> => {
    if (now.app === undefined) throw new Error('there is no app yet');
    if (url.pathname === '/') {
      now.asked = await now.app.ask();
      return `<a href="${now.asked.url.href.replaceAll('&', '&amp;')}">Connect</a>`;
    }
    if (url.searchParams.has('error')) return `<p>Refused: ${url.searchParams.get('error') ?? ''}</p>`;
    tokens.push(await now.app.exchange(url.href, now.asked ?? { verifier: '' }));
    return '<p>The app is connected</p>';
  };
  const server = await listening(
    createServer((request, answer) => {
      answer.setHeader('Content-Type', 'text/html');
      text(new URL(request.url ?? '', url)).then(
        (body) => answer.end(PAGE + body),
        (error: unknown) => answer.end(PAGE + String(error)),
      );
    }),
  );
  const url = `http://${host}:${portOf(server)}`;
  return {
    url,
    redirectUri: `${url}/callback`,
    tokens,
    serve: (app) => void (now.app = app),
    close: () => server.close(),
  };
}
