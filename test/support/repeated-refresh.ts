import { setTimeout } from 'node:timers/promises';

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

/** Sends the token, and tries afterwards what the last answer gave: a read at each service, and a refresh. */
export async function repeatRefresh({ urls, clientId, token, sends, apartMs }: Repeat): Promise<Fate> {
  const at = (index: number) => urls[index % urls.length] ?? '';
  const sent = Array.from({ length: sends }, async (_, index) => {
    await setTimeout(index * apartMs);
    return refresh(at(index), clientId, token);
  });
  const answers = await Promise.all(sent);
  const given = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  const [first] = given;
  if (first === undefined) return `other: ${told(answers)}`;
  const { access_token: access, refresh_token: next } = JSON.parse(first) as Tokens;
  const reads = await Promise.all(urls.map((url) => read(url, access)));
  const last = await refresh(at(sends), clientId, next);
  const isAlive = last.status === 200 && reads.every((status) => status === 200);
  const isEnded = last.body.includes('invalid_grant') && reads.every((status) => status === 401);
  if (isAlive && given.length === sends && given.every((body) => body === first)) return 'same pair';
  if (isEnded && given.length === 1 && answers[0]?.body === first) return 'ended as theft';
  return `other: ${told(answers)}; then ${[...reads, last.status].join()}`;
}

async function refresh(url: string, clientId: string, token: string): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
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
