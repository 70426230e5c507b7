import type { RegisteredApp } from '../../application/developer-apps.js';
import { CORE } from '../../composition/tokens.js';
import { OPERATOR, type Person } from '../../domain/access.js';
import type { App } from '../../domain/app.js';
import type { Role } from '../../domain/role.js';
import { REDIRECT } from './oauth-app.js';
import { Visitor } from './panel-visitor.js';
import { startService, type LocalService, type TestServiceOptions } from './service.js';
import { draft } from './service/client.js';
import { signedIn } from './signed-in.js';

/** A developer with an account, signed in in a browser without scripts. */
export interface Member {
  readonly by: Person;
  readonly visitor: Visitor;
}

/** A service with an authorization server, whose developers have apps. */
export class OAuthStage {
  #members = 0;

  constructor(readonly service: LocalService) {}

  static async start(options: TestServiceOptions = {}): Promise<OAuthStage> {
    return new OAuthStage(await startService(options));
  }

  get url(): string {
    return this.service.url;
  }

  get core() {
    const { apps, connections, ...core } = this.service.container.get(CORE);
    if (apps === undefined || connections === undefined) throw new Error('the storage has no records of apps');
    return { ...core, apps, connections };
  }

  /** Returns a new developer, who has accepted an invitation at this address. */
  async member(role: Role = 'developer', at = this.url): Promise<Member> {
    const id = `dev-${(this.#members += 1)}`;
    const { token } = await this.core.accounts.invite(OPERATOR, id, { role });
    const visitor = new Visitor(at);
    await visitor.accept(`${at}/panel/welcome/${token}`, `${id}@example.com`);
    const account = await this.core.accounts.find(OPERATOR, id);
    if (account === undefined) throw new Error(`${id} has no account`);
    return { by: signedIn({ developerId: account.id }, role), visitor };
  }

  register(by: Person, kind: App['kind'], request: Partial<App> = {}): Promise<RegisteredApp> {
    const redirectUris = kind === 'machine' ? [] : [REDIRECT];
    return this.core.apps.register(by, { name: `An app of kind ${kind}`, kind, redirectUris, ...request });
  }

  /** Reads with a token, and returns the status. */
  read(token: string, at = this.url): Promise<number> {
    return status(`${at}/api/automations`, token);
  }

  /** Publishes an automation with a token, and returns the status. */
  publish(token: string, at = this.url): Promise<number> {
    return status(`${at}/api/automations`, token, JSON.stringify(draft(1)));
  }

  /** Returns the actions in the history of a developer, the latest first. */
  async history(by: Person, limit = 5): Promise<readonly string[]> {
    await this.core.audit.settled();
    return (await this.core.audit.list(by, { limit })).items.map(({ action }) => action);
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

async function status(url: string, token: string, body?: string): Promise<number> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  await answer.arrayBuffer();
  return answer.status;
}

/** The metadata documents of clients, by their addresses: the internet, as far as the server fetches from it. */
export type Documents = ReadonlyMap<string, object>;

/** Starts a service whose server finds these documents, and nothing else. */
export async function startWithDocuments(documents: Documents, options: TestServiceOptions = {}): Promise<OAuthStage> {
  const fetch = async (input: string | URL | Request) => {
    const document = documents.get(input instanceof Request ? input.url : String(input));
    return document === undefined ? new Response('', { status: 404 }) : Response.json(document);
  };
  return OAuthStage.start({ ...options, fetch });
}
