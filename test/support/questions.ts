import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ConsentQuestion, Consents } from '../../adapters/web/consents.js';
import type { DeveloperId, Person, UseCases } from '../../application/index.js';

/** A question of a web app of another developer, which asks for all there is. */
export const QUESTION: ConsentQuestion = {
  clientId: '01900000-0000-7000-8000-000000000001',
  name: 'Ledger',
  registeredBy: 'bob' as DeveloperId,
  scopes: ['automations:read', 'automations:write'],
  audience: 'api',
  redirectUri: 'https://ledger.example/back',
};

const COOKIE = /question=([\w-]+)/;

/** Asks as an authorization server does: each question belongs to the browser that has the cookie of its id. */
export class Questions implements Consents {
  readonly #open = new Map<string, ConsentQuestion>();
  /** The answers, with who gave them. */
  readonly answers: string[] = [];

  constructor(private readonly core: Pick<UseCases, 'connections'>) {}

  /** Returns the id of a new question, which is also the value of its cookie. */
  ask(question: Partial<ConsentQuestion> = {}): string {
    const id = randomUUID();
    this.#open.set(id, { ...QUESTION, ...question });
    return id;
  }

  describe() {
    return { issuer: 'https://market.example/shop/oauth', resource: 'https://market.example/api' };
  }

  async read(id: string, { headers }: IncomingMessage): Promise<ConsentQuestion | undefined> {
    return COOKIE.exec(headers.cookie ?? '')?.[1] === id ? this.#open.get(id) : undefined;
  }

  async approve(id: string, request: IncomingMessage, _response: unknown, by: Person): Promise<string | undefined> {
    const question = await this.read(id, request);
    if (question === undefined) return undefined;
    await this.core.connections?.connect(by, question);
    return this.#end(id, question, `allowed by ${by.developerId}`, 'code=1');
  }

  async refuse(id: string, request: IncomingMessage): Promise<string | undefined> {
    const question = await this.read(id, request);
    return question && this.#end(id, question, 'refused', 'error=access_denied');
  }

  #end(id: string, { redirectUri = '/panel' }: ConsentQuestion, answer: string, query: string): string {
    this.#open.delete(id);
    this.answers.push(answer);
    return `${redirectUri}?${query}`;
  }
}
