import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { draft } from '../../support/service/client.js';
import { onEveryStorage } from '../../support/service/on-every-storage.js';
import { spied } from '../../support/service/spy.js';

const BODIES: Readonly<Record<string, string>> = {
  valid: JSON.stringify(draft(1)),
  broken: '{"title": ',
  'of 70 KB': JSON.stringify(draft(1, { description: 'x'.repeat(70_000) })),
  'of the wrong type': '<automation/>',
};

interface Reply {
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/**
 * Sends the head of a create only, and gathers what is answered to that. Where the server does not say that it closes
 * the connection, the body follows, and another request, which must be answered.
 */
async function sendHead(port: number, key: string, framing: string, body = ''): Promise<Reply> {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  const ended = once(socket, 'end');
  socket.on('data', (data) => (text += data.toString()));
  const head = [
    'POST /api/automations HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    framing,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  const closed = /^Connection: close\r$/im.test(text);
  if (!closed) socket.write(`${body}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (!closed && !text.includes('HTTP/1.1 200 ')) await once(socket, 'data');
  if (closed) await ended;
  socket.destroy();
  return { text, closed };
}

/** Returns the calls that are not about the key and its developer. */
function aboutAutomations(calls: readonly string[]): readonly string[] {
  return calls.filter((call) => call !== 'keys.findByHash' && call !== 'developers.find');
}

onEveryStorage('A create by a key that must not create', (stage) => {
  let calls: string[] = [];
  let key = '';
  beforeEach(async () => {
    const watched = spied(await stage.fresh());
    await stage.restart({ repositories: watched.repositories });
    key = await stage.service.key('ada', ['automations:read']);
    await stage.client(key).get('/categories');
    calls = watched.calls;
    calls.length = 0;
  });

  for (const [kind, body] of Object.entries(BODIES)) {
    it(`is refused before a body ${kind} is read; the store is asked about the key alone`, async () => {
      const length = Buffer.byteLength(body);
      const { text, closed } = await sendHead(stage.service.port, key, `Content-Length: ${length}`, body);
      expect(text).to.match(/^HTTP\/1\.1 403 /);
      expect(closed).to.equal(length > 64 * 1024);
      expect(aboutAutomations(calls)).to.deep.equal([]);
    });

    it(`is refused alike when the body ${kind} is sent`, async () => {
      const headers = { 'content-type': kind === 'of the wrong type' ? 'text/xml' : 'application/json' };
      const answer = await stage.client(key).send('/api/automations', { method: 'POST', headers, body });
      expect(answer.status).to.equal(403);
      expect(aboutAutomations(calls)).to.deep.equal([]);
    });
  }

  it('is refused and the connection closed when the length is not told', async () => {
    const { text, closed } = await sendHead(stage.service.port, key, 'Transfer-Encoding: chunked');
    expect(text).to.match(/^HTTP\/1\.1 403 /);
    expect(closed).to.equal(true);
    expect(aboutAutomations(calls)).to.deep.equal([]);
  });
});
