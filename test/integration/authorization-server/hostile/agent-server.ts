import { expect } from 'chai';
import {
  createAuthorizationServer,
  type AuthorizationServerCore,
} from '../../../../adapters/authorization-server/index.js';
import { inMemoryStorage } from '../../../../adapters/in-memory/index.js';
import { newCore, parseCurrency } from '../../../../application/index.js';
import type { OAuthRecords } from '../../../../domain/ports.js';
import { serve } from '../../../support/host-pages.js';
import { send, type Listening, type Sent } from '../../../support/socket.js';
import { encoded, FORM, requestOf, spied, type Fields } from './market.js';

/** An authorization server alone, to which agents come that are not registered. */
export class AgentServer {
  readonly #errors: unknown[] = [];

  private constructor(
    private readonly server: Listening,
    /** Each record, as it was written. */
    readonly written: readonly string[],
  ) {}

  /** Starts a server with its own `fetch` of documents, or with this one. */
  static async start(fetch?: typeof globalThis.fetch): Promise<AgentServer> {
    const storage = inMemoryStorage();
    await storage.prepare({ currency: parseCurrency('USD') });
    const written: string[] = [];
    const oauthRecords = spied(storage.oauthRecords as OAuthRecords, written);
    const core = { ...newCore(storage), oauthRecords } as AuthorizationServerCore;
    const address = (): string => server.url;
    const onError = (error: unknown) => started.#errors.push(error);
    const { app } = createAuthorizationServer(core, { address, fetch, onError, pageRateLimit: 'off' });
    const server = await serve(app);
    const started = new AgentServer(server, written);
    return started;
  }

  /** Opens the address of a good request of an agent, with changes, in a browser that is not signed in. */
  ask(id: string, changes: Fields = {}): Promise<Sent> {
    return send(this.server.url, {
      method: 'GET',
      path: `/oauth/auth?${encoded({ ...requestOf({ id }), scope: 'automations:read', ...changes })}`,
      headers: { Accept: 'text/html' },
    });
  }

  /** Asks for the codes of a device. */
  askForDevice(fields: Fields): Promise<Sent> {
    return send(this.server.url, {
      method: 'POST',
      path: '/oauth/device/auth',
      headers: { 'Content-Type': FORM },
      body: encoded(fields),
    });
  }

  /** Ends the server. Nothing that was sent failed inside it. */
  async close(): Promise<void> {
    await this.server.close();
    expect(this.#errors).to.deep.equal([]);
  }
}
