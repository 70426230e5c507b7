import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { UseCases } from '../../application/core.js';
import type { Person } from '../../domain/access.js';
import type { Connection, TokenAudience } from '../../domain/connection.js';
import type { OAuthRecords } from '../../domain/ports.js';
import { SCOPES, type Scope } from '../../domain/scope.js';
import type { Consents, ConsentQuestion, ServerDescription } from '../web/consents.js';
import { nameOf } from './clients.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The parts that answer the questions of a server. */
export interface ConsentParts {
  /** Returns the server; undefined while its address is not known. */
  readonly provider: () => Promise<Provider | undefined>;
  readonly describe: (audience: TokenAudience) => ServerDescription | undefined;
  /** Refuses a request at another host, where no question is known. */
  readonly requireOwnHost: (request: IncomingMessage) => void;
  readonly oauthRecords: Pick<OAuthRecords, 'consume'>;
  /** The name of the marketplace. */
  readonly brandName: string;
  readonly apps: Pick<NonNullable<UseCases['apps']>, 'findClient'>;
  readonly connections: Pick<NonNullable<UseCases['connections']>, 'connect' | 'grantable'>;
}

/** A question that a browser may answer, with the server that asks. */
interface Pending {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly resource: string;
  readonly question: ConsentQuestion;
}

/** Asks a person each time: what they said before, and who was signed in then, counts for nothing. */
export class ServerConsents implements Consents {
  constructor(private readonly parts: ConsentParts) {}

  describe(): ServerDescription | undefined {
    return this.parts.describe('api');
  }

  async read(id: string, request: IncomingMessage, response: ServerResponse): Promise<ConsentQuestion | undefined> {
    const pending = await this.#pending(id, request, response);
    return pending?.interaction.result === undefined ? pending?.question : undefined;
  }

  async approve(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    by: Person,
  ): Promise<string | undefined> {
    const pending = await this.#pending(id, request, response);
    if (pending === undefined) return undefined;
    const { clientId, name, scopes, audience } = pending.question;
    this.parts.connections.grantable(by, scopes);
    // A form that was sent twice leads on as the first did.
    if (pending.interaction.result !== undefined || !(await this.#claim(id))) return pending.interaction.returnTo;
    const connection = await this.parts.connections.connect(by, { clientId, name, scopes, audience });
    await storeGrant(pending, connection);
    const result = { login: { accountId: by.developerId, remember: false }, consent: { grantId: connection.id } };
    return pending.provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
  }

  async refuse(id: string, request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    const pending = await this.#pending(id, request, response);
    if (pending === undefined || pending.interaction.result !== undefined) return undefined;
    if (!(await this.#claim(id))) return undefined;
    const result = { error: 'access_denied', error_description: 'The person refused.' };
    return pending.provider.interactionResult(request, response, result, { mergeWithLastSubmission: false });
  }

  /** Returns true for the first answer to a question: of two that are sent at once, one counts. */
  #claim(id: string): Promise<boolean> {
    return this.parts.oauthRecords.consume('interaction', hash('sha256', id), new Date());
  }

  async #pending(id: string, request: IncomingMessage, response: ServerResponse): Promise<Pending | undefined> {
    this.parts.requireOwnHost(request);
    const provider = await this.parts.provider();
    const interaction = await provider?.interactionDetails(request, response).catch(undefinedIfGone);
    if (provider === undefined || interaction?.uid !== id) return undefined;
    const client = await provider.Client.find(String(interaction.params['client_id']));
    const resource = String(interaction.params['resource']);
    const audience = (['api', 'agents'] as const).find((one) => this.parts.describe(one)?.resource === resource);
    if (client === undefined || audience === undefined) return undefined;
    const app = await this.parts.apps.findClient(client.clientId);
    const { redirect_uri: redirectUri } = interaction.params;
    const question = {
      clientId: client.clientId,
      name: nameOf(client, this.parts.brandName),
      registeredBy: app?.developerId,
      scopes: scopesIn(interaction),
      audience,
      redirectUri: typeof redirectUri === 'string' ? redirectUri : undefined,
    };
    return { provider, interaction, resource, question };
  }
}

/** Stores what was granted, and that the rest was refused, so that the person is not asked for it again. */
async function storeGrant({ provider, interaction, resource }: Pending, connection: Connection): Promise<void> {
  const { id, developerId: accountId, clientId, scopes } = connection;
  const grant = new provider.Grant({ accountId, clientId });
  grant.jti = id;
  for (const scope of requestedIn(interaction)) {
    const isRefused = SCOPES.some((known) => known === scope) && !scopes.some((granted) => granted === scope);
    if (isRefused) {
      grant.rejectOIDCScope(scope);
      grant.rejectResourceScope(resource, scope);
    } else {
      grant.addOIDCScope(scope);
      grant.addResourceScope(resource, scope);
    }
  }
  await grant.save();
}

function requestedIn({ params }: Interaction): readonly string[] {
  const { scope } = params;
  return typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
}

function scopesIn(interaction: Interaction): readonly Scope[] {
  const requested = requestedIn(interaction);
  return SCOPES.filter((scope) => requested.includes(scope));
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof Error && error.name === 'SessionNotFound')) throw error;
}
