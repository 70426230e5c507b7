import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context, Handler } from '../../edge/context.js';
import type { Brand } from './brand.js';

const CSS = 'text/css; charset=utf-8';

/** The files of `assets/styles/`, in the order in which they apply. Pages with a style of their own get `frame.css`. */
const FRAME = ['tokens', 'base', 'frame'];
const STYLES = { 'frame.css': FRAME, 'pages.css': [...FRAME, 'forms', 'parts', 'panel', 'catalogue'] } as const;

/** A picture may be drawn by an unknown person: opened by itself, it runs no script and loads nothing. */
const PICTURE_HEADERS = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The addresses of the files that every page loads. */
export interface AssetAddresses {
  readonly frameStyle: string;
  readonly style: string;
  readonly script: string;
  readonly logo: string;
}

/** The files that every page loads. The address of a file contains its hash, so browsers keep it for a year. */
export class PageAssets {
  readonly logo: Asset;
  readonly #assets: ReadonlyMap<string, Asset>;

  constructor({ logo = defaultLogo() }: Pick<Brand, 'logo'>) {
    const name = logo.type === 'image/png' ? 'logo.png' : 'logo.svg';
    this.logo = { ...logo, name, headers: PICTURE_HEADERS };
    const script = { name: 'pages.js', type: 'text/javascript; charset=utf-8', body: read('pages.js') };
    const styles = Object.entries(STYLES).map(([file, parts]) => ({ name: file, type: CSS, body: joined(parts) }));
    this.#assets = new Map([...styles, script, this.logo].map((asset) => [pathOf(asset), asset]));
  }

  /** Returns the addresses below a path. */
  addresses(at: string): AssetAddresses {
    const paths = [...this.#assets.keys()];
    const addressOf = (name: string) => `${at}${paths.find((path) => path.endsWith(`/${name}`)) ?? ''}`;
    return {
      frameStyle: addressOf('frame.css'),
      style: addressOf('pages.css'),
      script: addressOf('pages.js'),
      logo: addressOf(this.logo.name),
    };
  }

  /** Returns the handlers by path, below the path `at`. */
  routes(at = ''): Readonly<Record<string, Handler>> {
    return Object.fromEntries(Array.from(this.#assets, ([path, asset]) => [at + path, servesForGood(asset)]));
  }
}

function defaultLogo(): NonNullable<Brand['logo']> {
  return { type: 'image/svg+xml', body: read('mark.svg') };
}

function read(name: string): Buffer {
  return readFileSync(new URL(`../assets/${name}`, import.meta.url));
}

function joined(parts: readonly string[]): Buffer {
  return Buffer.concat(parts.map((part) => read(`styles/${part}.css`)));
}

function pathOf({ name, body }: Asset): string {
  return `/assets/${hashOf(body)}/${name}`;
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 16);
}

/** Lets browsers keep a file without asking again (RFC 8246). */
function servesForGood({ body, type, headers = {} }: Asset): Handler {
  const etag = hashOf(body);
  return async (ctx: Context) => {
    ctx.set({ 'Cache-Control': 'public, max-age=31536000, immutable', ...headers });
    ctx.remove('Vary');
    ctx.status = 200;
    ctx.etag = etag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    ctx.body = body;
  };
}
