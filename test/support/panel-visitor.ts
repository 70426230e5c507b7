import { send, type Sent } from './socket.js';
import { PASSWORD } from './panel.js';

export type Fields = readonly (readonly [name: string, value: string])[] | Readonly<Record<string, string>>;

export interface Posting {
  /** In place of what a browser would send; an undefined one is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Whether the form's own token goes with it; it does. */
  readonly withToken?: boolean;
}

const TOKEN = /name="token" value="([^"]+)"/;

/** Somebody with a browser that keeps cookies and sends what a browser sends, and that runs no script. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The latest that stood in a page. */
  token = '';

  constructor(readonly url: string) {}

  async open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
    return this.#keep(await send(this.url, { method: 'GET', path, headers: { ...this.#cookie(), ...headers } }));
  }

  /** Fills in a form and sends it. */
  async submit(path: string, fields: Fields, { headers = {}, withToken = true }: Posting = {}): Promise<Sent> {
    const form = new URLSearchParams(fields as Record<string, string>);
    if (withToken) form.append('token', this.token);
    return this.post(path, form.toString(), headers);
  }

  async post(path: string, body: string, headers: Posting['headers'] = {}): Promise<Sent> {
    const usual = { Origin: this.url, 'Content-Type': 'application/x-www-form-urlencoded', ...this.#cookie() };
    const all = Object.entries<string | undefined>({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
    return this.#keep(await send(this.url, { method: 'POST', path, headers: Object.fromEntries(all), body }));
  }

  /** Accepts a welcome link; the name is the developer's at example.com. */
  async accept(link: string, name: string): Promise<Sent> {
    const answer = await this.submit(new URL(link).pathname, { name, password: PASSWORD }, { withToken: false });
    if (answer.status !== 303) throw new Error(`the welcome was answered ${answer.status}`);
    await this.open('/panel/keys');
    return answer;
  }

  signIn(name: string, password = PASSWORD): Promise<Sent> {
    return this.submit('/panel/sign-in', { name, password }, { withToken: false });
  }

  /** Creates a key and answers its text. */
  async createKey(
    name: string,
    scopes: readonly string[] = ['automations:read', 'automations:write'],
  ): Promise<string> {
    const fields = [['name', name], ['expires', '90'], ...scopes.map((scope) => ['scopes', scope] as const)] as const;
    return newKeyIn((await this.submit('/panel/keys', fields)).body);
  }

  #cookie(): Readonly<Record<string, string>> {
    const pairs = Array.from(this.cookies, ([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { Cookie: pairs.join('; ') };
  }

  #keep(answer: Sent): Sent {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.token = TOKEN.exec(answer.body)?.[1] ?? this.token;
    return answer;
  }
}

export function newKeyIn(page: string): string {
  return /id="new-key"[^>]*>([^<]*)</.exec(page)?.[1] ?? '';
}

/** Returns the text of each entry of a history; its time is a star. */
export function historyRowsIn(body: string): readonly string[] {
  return Array.from(body.matchAll(/<li>(\n<p><span class="name.*?)<\/li>/gs), ([, item = '']) =>
    item
      .replace(/<time.*?<\/time>/g, '*')
      .replace(/<details.*/s, '')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}
