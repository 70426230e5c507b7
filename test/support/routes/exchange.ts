import { connect } from 'node:net';

/** A response as it came. */
export interface Response {
  readonly status: number;
  /** With its headers. */
  readonly bytes: number;
  readonly text: string;
}

/** Sends the text of a request on a connection of its own, and reads until the other side closes it. */
export async function exchange(port: number, request: string, localAddress = '127.0.0.1'): Promise<Response> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(request);
  // An answer that comes before the whole request may end with a reset.
  await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  const response = Buffer.concat(parts);
  const text = response.toString('utf8');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), bytes: response.length, text };
}
