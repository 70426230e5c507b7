import type { Context } from '../context.js';
import { Problem } from '../problems/problem.js';
import { MAX_BODY_BYTES } from './protocol-checks.js';
import type { DeveloperQuotas } from './quotas.js';
import { perSubject } from './rate-limits.js';

const MEBIBYTE = 1024 * 1024;

/** The most that a create with a file may have. The largest file in base64 has 1.4 MB. */
export const MAX_CREATE_BYTES = 2 * MEBIBYTE;

const MAX_A_MINUTE = 20;
const MAX_OF_DEVELOPER = 8 * MEBIBYTE;
const MAX_OF_ALL = 16 * MEBIBYTE;

/** Returns the announced length of the body; 0 of one that does not tell it. */
function lengthOf({ req }: Pick<Context, 'req'>): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** Returns whether the body is announced to be above 64 KiB. */
export function isLarge(ctx: Pick<Context, 'req'>): boolean {
  return lengthOf(ctx) > MAX_BODY_BYTES;
}

const instances = new WeakMap<DeveloperQuotas, LargeBodies>();

/** The bodies above 64 KiB: how many a minute of a developer, and how many bytes at a time. */
export class LargeBodies {
  readonly #count = perSubject('large-bodies', MAX_A_MINUTE);
  readonly #ofDeveloper = new Map<string, number>();
  #ofAll = 0;

  /** Returns those that count with these quotas: API and panel share both. */
  static of(quotas: DeveloperQuotas): LargeBodies {
    const bodies = instances.get(quotas) ?? new LargeBodies();
    instances.set(quotas, bodies);
    return bodies;
  }

  /** Does work that reads the body of a request. Refuses a large one before a byte is read, when there is no room. */
  async during<Result>(ctx: Context, developerId: string, work: () => Promise<Result>): Promise<Result> {
    if (!isLarge(ctx)) return work();
    const bytes = lengthOf(ctx);
    await this.#count(ctx, developerId);
    this.#add(developerId, bytes);
    try {
      return await work();
    } finally {
      this.#remove(developerId, bytes);
    }
  }

  #add(developerId: string, bytes: number): void {
    const own = (this.#ofDeveloper.get(developerId) ?? 0) + bytes;
    if (own > MAX_OF_DEVELOPER) throw new Problem('quota-exceeded', TOO_MUCH, { headers: { 'Retry-After': '1' } });
    if (this.#ofAll + bytes > MAX_OF_ALL) throw new Problem('overloaded', 'Too many files arrive at the same time.');
    this.#ofDeveloper.set(developerId, own);
    this.#ofAll += bytes;
  }

  #remove(developerId: string, bytes: number): void {
    const left = (this.#ofDeveloper.get(developerId) ?? 0) - bytes;
    if (left > 0) this.#ofDeveloper.set(developerId, left);
    else this.#ofDeveloper.delete(developerId);
    this.#ofAll -= bytes;
  }
}

const TOO_MUCH = 'At most 8 MiB of large bodies of one developer may be on their way.';
