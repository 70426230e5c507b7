import { hash } from 'node:crypto';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { UseCases } from '../../application/core.js';
import { CONNECTION } from '../../application/oauth-store.js';
import type { DeveloperId } from '../../domain/access.js';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';
import { metadataOf } from './clients.js';
import type { Exchanges } from './exchanges.js';
import { consumedAtOf, type Spent } from './refreshes.js';

/**
 * Begins an id that is a hash already: that of a device code that was found by its user code. A client that sends such
 * an id finds nothing.
 */
const HASHED = 'sha256:';

/** The members of every payload that are stored in another form. */
const APART = ['jti', 'userCode', 'consumed'];

/** The members of a session that say who is signed in: the panel's own session decides that, each time. */
const WHO = ['accountId', 'loginTs', 'authorizations', 'acr', 'amr'];

/** The store of the server: its records by their models, the ids as hashes, and apps as clients. */
export class ServerRecords {
  constructor(
    private readonly records: OAuthRecords,
    private readonly exchanges: Exchanges,
    private readonly apps: Pick<UseCases['apps'] & object, 'findClient'>,
    /** Ends a connection because of what a client sent. May be called again. */
    private readonly endConnection: (id: string) => Promise<void>,
  ) {}

  /** Returns the adapter of a model of the server. */
  adapterOf(model: string): Adapter {
    const { records, exchanges } = this;
    const kind = kindOf(model);
    return {
      upsert: (id, payload, expiresIn) => exchanges.upsert(recordOf(kind, id, payload, expiresIn)),
      find: async (id) => {
        if (model === 'Client') return this.#client(id);
        // A connection ends before what rests on it is removed.
        if (model === 'Grant' && (await records.find(CONNECTION, id)) === undefined) return undefined;
        const isHashed = model === 'DeviceCode' && !exchanges.isRunning;
        return payloadOf(await records.find(kind, isHashed ? hashOf(id) : hash('sha256', id)), id);
      },
      findByUid: async (uid) => payloadOf(await records.findByUid(kind, uid)),
      findByUserCode: async (userCode) => {
        const payload = payloadOf(await records.findByUserCode(kind, hashOf(userCode)));
        return payload && { ...payload, userCode };
      },
      consume: async (id) => exchanges.consume(kind, hashOf(id)),
      destroy: async (id) => {
        if (model === 'Grant') await this.endConnection(id);
        // It goes with its grant, which ends next: without it, a client that tries again after a failure ended nothing.
        else if (model === 'RefreshToken') return;
        else if (!(await records.destroy({ kind, id: hashOf(id), entries: [] })) && model === 'Interaction')
          throw new errors.SessionNotFound('it was answered already');
      },
      revokeByGrantId: (grantId) => this.endConnection(grantId),
    };
  }

  async #client(id: string): Promise<AdapterPayload | undefined> {
    const app = await this.apps.findClient(id);
    return app && metadataOf(app);
  }
}

/** `RefreshToken` is stored as `refresh-token`. */
function kindOf(model: string): string {
  return model.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function hashOf(id: string): string {
  return id.startsWith(HASHED) ? id.slice(HASHED.length) : hash('sha256', id);
}

/** Returns what is stored: nothing in it is the id or the user code in clear text. */
function recordOf(kind: string, id: string, payload: AdapterPayload, expiresIn: number | undefined): OAuthRecord {
  const { userCode } = payload;
  const content = without(withoutCookies(payload, id), kind === 'session' ? [...APART, ...WHO] : APART);
  const { accountId, clientId, uid, grantId = kind === 'grant' ? id : undefined } = content;
  return {
    kind,
    id: hashOf(id),
    content: JSON.stringify(content),
    ...(accountId !== undefined && { developerId: accountId as DeveloperId }),
    ...(clientId !== undefined && { clientId }),
    ...(grantId !== undefined && { grantId }),
    ...(uid !== undefined && { uid }),
    ...(userCode !== undefined && { userCode: hashOf(userCode) }),
    ...(expiresIn !== undefined && { expiresAt: new Date(Date.now() + expiresIn * 1000) }),
  };
}

function without(payload: AdapterPayload, names: readonly string[]): AdapterPayload {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
}

/** A question is known by its id, with which the address ends that leads on; it also holds the cookie of a session. */
function withoutCookies({ returnTo, session, ...content }: AdapterPayload, id: string): AdapterPayload {
  const { cookie: _cookie, ...kept } = session ?? {};
  return {
    ...content,
    ...(returnTo !== undefined && { returnTo: returnTo.slice(0, -id.length) }),
    ...(session !== undefined && { session: kept }),
  };
}

/** Returns the payload of a record. Without the id that a client sent, the hash stands for it. */
function payloadOf(record: OAuthRecord | undefined, id?: string): AdapterPayload | undefined {
  if (record === undefined) return undefined;
  const { spent, ...payload } = JSON.parse(record.content) as AdapterPayload & { readonly spent?: Spent };
  const consumedAt = record.consumedAt ?? consumedAtOf(spent);
  const consumed = consumedAt && { consumed: Math.floor(consumedAt.getTime() / 1000) };
  const returnTo = id !== undefined && payload.returnTo !== undefined && { returnTo: payload.returnTo + id };
  return { ...payload, ...returnTo, jti: id ?? HASHED + record.id, ...consumed };
}
