import { once } from 'node:events';
import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';

/** A request as it goes over the wire: the target stays as it is, where `fetch` would resolve dots in it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

interface IncomingResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A server that takes longer to respond does not conform either. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** Sends a request to a server and reads its response to the end. */
export async function exchange(server: URL, { method, target, headers, body }: OutgoingRequest) {
  const send = server.protocol === 'https:' ? overHttps : overHttp;
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const request = send(server, { method, path: target, headers, signal });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A server may respond, and close, before it has read the whole body.
  request.on('error', () => undefined);
  return readResponse(response);
}

async function readResponse(response: IncomingMessage): Promise<IncomingResponse> {
  const headers = new Headers();
  const { rawHeaders: raw, statusCode: status = 0 } = response;
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
  return { status, headers, body: Buffer.concat(chunks).toString() };
}
