export type Fetch = typeof globalThis.fetch;

const LARGEST = 512 * 1024;

/** A JSON document of at most 512 KiB, from this address and no other. Rejects when the signal says so, however far fetch has come: of a body that has begun it may lose sight. */
export function fetchJson(url: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${url} took too long to answer`)), { once: true });
  });
  return Promise.race([answered(url, fetch, signal), aborted]);
}

async function answered(url: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
  const text = await textOf(response, url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return JSON.parse(text) as unknown;
}

async function textOf(response: Response, url: string): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Error(`${url} answered more than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
