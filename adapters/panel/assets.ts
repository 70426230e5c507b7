import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context, Handler } from './visit.js';

const TYPES = {
  'panel.css': 'text/css; charset=utf-8',
  'panel.js': 'text/javascript; charset=utf-8',
  'mark.svg': 'image/svg+xml',
} as const;

type Name = keyof typeof TYPES;

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly hash: string;
}

/** The files that pages load. The address of a file contains its hash. */
export class Assets {
  readonly #assets = new Map<string, Asset>();

  constructor(private readonly at: string) {
    for (const [name, type] of Object.entries(TYPES)) {
      const body = readFileSync(new URL(`./assets/${name}`, import.meta.url));
      this.#assets.set(name, { body, type, hash: createHash('sha256').update(body).digest('base64url').slice(0, 16) });
    }
  }

  addressOf(name: Name): string {
    return `${this.at}/assets/${this.#assets.get(name)?.hash ?? ''}/${name}`;
  }

  /** Returns the handlers, by path below `/panel`. */
  routes(): Readonly<Record<string, Handler>> {
    const handlers = Array.from(this.#assets, ([name, asset]) => {
      const handler: Handler = (ctx) => serve(ctx, asset);
      return [`/assets/${asset.hash}/${name}`, handler] as const;
    });
    return Object.fromEntries(handlers);
  }
}

/** Lets browsers keep a file for a year without asking again (RFC 8246). */
async function serve(ctx: Context, { body, type, hash }: Asset): Promise<void> {
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.remove('Vary');
  ctx.status = 200;
  ctx.etag = hash;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}
