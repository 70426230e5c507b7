import { AsyncLocalStorage } from 'node:async_hooks';
import { errors, type TokenEndpointGrantContext } from 'oidc-provider';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';
import { Refreshes } from './refreshes.js';

/** What a request to the token endpoint uses up, and what is stored for its answer. */
interface Exchange {
  used?: Pick<OAuthRecord, 'kind' | 'id'>;
  readonly stored: OAuthRecord[];
}

type Context<Params extends object = object> = TokenEndpointGrantContext<Params>;
/** A grant of the library. */
export type Grant<Params extends object> = (ctx: Context<Params>) => void | Promise<void>;

/**
 * Exchanges codes, device codes and refresh tokens for tokens. The library uses up what was sent before it has checked
 * all of the request. Here its writes wait until the whole answer is known: a refusal or a failure leaves everything
 * as it was, and so does the end of the process.
 */
export class Exchanges {
  readonly #running = new AsyncLocalStorage<Exchange>();
  readonly #refreshes: Refreshes;

  constructor(private readonly records: OAuthRecords) {
    this.#refreshes = new Refreshes(records);
  }

  /** Stores a record; during an exchange, when that is complete. */
  async upsert(record: OAuthRecord): Promise<void> {
    const exchange = this.#running.getStore();
    if (exchange === undefined) await this.records.upsert(record);
    else exchange.stored.push(record);
  }

  /** Has something used up when the exchange that runs is complete. */
  consume(kind: string, id: string): void {
    const exchange = this.#running.getStore();
    if (exchange === undefined) throw new Error(`a ${kind} is used up outside of an exchange`);
    exchange.used = { kind, id };
  }

  /** Tells whether an exchange is running: what is looked up then was sent by a client. */
  get isRunning(): boolean {
    return this.#running.getStore() !== undefined;
  }

  /** Runs a grant of the library, and completes the exchange when it has made an answer. */
  async run<Params extends object>(ctx: Context<Params>, grant: Grant<Params>): Promise<void> {
    const exchange: Exchange = { stored: [] };
    await this.#running.run(exchange, grant, ctx);
    const { refresh_token: token } = ctx.oidc.params as { readonly refresh_token?: unknown };
    if (typeof token === 'string') await this.#refresh(ctx, token, exchange);
    else await this.#complete(exchange);
  }

  async #refresh(ctx: Context, token: string, { used, stored }: Exchange): Promise<void> {
    const [successor] = stored;
    if (used === undefined || successor === undefined) throw new Error('a refresh did not replace its token');
    const { aud, scope = '' } = ctx.oidc.entities.AccessToken ?? {};
    const granted = [aud, ...scope.split(' ').toSorted()].join(' ');
    ctx.body = await this.#refreshes.complete(token, used.id, successor, { granted, body: ctx.body });
  }

  /** What was sent is used up last. Of requests that send the same, one gets an answer. */
  async #complete({ used, stored }: Exchange): Promise<void> {
    await Promise.all(stored.map((record) => this.records.upsert(record)));
    if (used === undefined || (await this.records.consume(used.kind, used.id, new Date()))) return;
    await Promise.all(stored.map(({ kind, id }) => this.records.destroy({ kind, id, entries: [] })));
    throw new errors.InvalidGrant('it was used already, or is gone');
  }
}
