import { setTimeout } from 'node:timers/promises';

const PAUSE_MS = 500;
const LONG_MS = 10_000;

/** A refresh token that is sent several times. */
export interface Repeat {
  /** The services on one store that get the requests, in turn. */
  readonly urls: readonly string[];
  readonly clientId: string;
  readonly token: string;
  readonly sends: number;
  /** The time from one request to the next. */
  readonly apartMs: number;
}

/**
 * What becomes of the connection. It goes on, and all requests got the same tokens; it ended as after a theft, and the
 * requests after the first were refused; or anything else, in words.
 */
export type Fate = 'same pair' | 'ended as theft' | `other: ${string}`;

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** What became of it, and the refresh token with which the connection goes on, if it does. */
export interface Repeated {
  readonly fate: Fate;
  readonly next?: string | undefined;
}

/** Sends the token, and tries afterwards what the first answer gave: a read at each service, and a refresh. */
export async function repeatRefresh(repeat: Repeat): Promise<Repeated> {
  const { urls, clientId, sends } = repeat;
  const answers = await sentApart(repeat);
  const given = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  const [first] = given;
  if (first === undefined) return { fate: `other: ${told(answers)}` };
  const { access_token: access, refresh_token: next } = JSON.parse(first) as Tokens;
  const reads = await Promise.all(urls.map((url) => read(url, access)));
  const last = await refresh(serviceOf(repeat, sends), clientId, next);
  const isAlive = last.status === 200 && reads.every((status) => status === 200);
  if (isAlive && given.length === sends && given.every((body) => body === first))
    return { fate: 'same pair', next: (JSON.parse(last.body) as Tokens).refresh_token };
  const isEnded = last.body.includes('invalid_grant') && reads.every((status) => status === 401);
  if (isEnded && given.length === 1 && answers[0]?.body === first) return { fate: 'ended as theft' };
  return { fate: `other: ${told(answers)}; then ${[...reads, last.status].join()}` };
}

/** Long after each other, each request waits for the answer to the one before, which a busy machine may delay. */
async function sentApart(repeat: Repeat): Promise<readonly Answer[]> {
  const { clientId, token, sends, apartMs } = repeat;
  const answers: Promise<Answer>[] = [];
  for (let index = 0; index < sends; index += 1) {
    if (index > 0) await setTimeout(apartMs);
    const sent = refresh(serviceOf(repeat, index), clientId, token);
    answers.push(sent);
    if (apartMs >= LONG_MS) await sent;
  }
  return Promise.all(answers);
}

function serviceOf({ urls }: Repeat, index: number): string {
  return urls[index % urls.length] ?? '';
}

async function refresh(url: string, clientId: string, token: string): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  // On a busy machine the storage may not be reachable in time. An app sends the same request again then.
  if (answer.status >= 500) return setTimeout(PAUSE_MS).then(() => refresh(url, clientId, token));
  return { status: answer.status, body: await answer.text() };
}

async function read(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/automations?limit=1`, { headers: { Authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

function told(answers: readonly Answer[]): string {
  return answers.map(({ status }) => status).join();
}
