import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { freePort } from '../../../support/socket.js';
import { AgentServer } from './agent-server.js';
import { outcomeOf } from './outcome.js';

const HOSTS_OF_THIS_MACHINE = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '017700000001', '0.0.0.0', '127.0.0.1.', 'localhost'],
  ...['localhost.', 'a.localhost', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
];
const OTHER_HOSTS = [
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '192.0.2.1', '224.0.0.1'],
  ...['255.255.255.255', '[fd00::1]', '[fe80::1]', '[fec0::1]', '[2002:a00:1::]', '[2001:db8::1]', '[ff02::1]'],
];

describe('The authorization server makes no connection for a metadata document', () => {
  let server: AgentServer;
  /** Accepts connections and says nothing. */
  let silent: Server;
  const connections: Socket[] = [];
  let ports: readonly string[];

  before(async () => {
    silent = createServer((socket) => connections.push(socket)).listen(0, '::');
    await once(silent, 'listening');
    ports = [`:${(silent.address() as AddressInfo).port}`, `:${await freePort()}`, ''];
    server = await AgentServer.start();
  });
  after(async () => {
    silent.close();
    for (const socket of connections) socket.destroy();
    await Promise.all([once(silent, 'close'), server.close()]);
  });

  const pageFor = async (host: string, port: string) => {
    const sent = await server.ask(`https://${host}${port}/client.json`);
    expect(outcomeOf(sent), host + port).to.equal('400 invalid_client');
    return sent.body.replaceAll(new URL(`https://${host}${port}`).host, 'HOST');
  };

  it('on this machine, by any name and at any port: the answers are alike', async () => {
    const pages = new Set<string>();
    for (const host of HOSTS_OF_THIS_MACHINE) for (const port of ports) pages.add(await pageFor(host, port));
    expect(connections).to.deep.equal([]);
    expect(pages.size).to.equal(1);
  });

  it('in networks that are not public: the answers are alike', async () => {
    const pages = await Promise.all(OTHER_HOSTS.map((host) => pageFor(host, '')));
    expect(new Set(pages).size).to.equal(1);
  });

  it('at another port than 443 of a public server', async () => {
    for (const port of [':80', ':22', ':8443']) await pageFor('198.41.0.4', port);
  });
});
