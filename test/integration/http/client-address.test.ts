import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../../adapters/edge/middleware/client-address.js';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as unknown as IncomingMessage;

describe('The address of a client', () => {
  for (const [hops, forwarded, expected] of [
    [0, '192.0.2.1', '10.0.0.1'],
    [1, '192.0.2.1', '192.0.2.1'],
    [1, '192.0.2.9, 192.0.2.1', '192.0.2.1'],
    [2, '192.0.2.9, 192.0.2.1', '192.0.2.9'],
    [3, '192.0.2.9, 192.0.2.1', '10.0.0.1'],
    [2, '192.0.2.9', '10.0.0.1'],
    [2, undefined, '10.0.0.1'],
    [1, '::ffff:192.0.2.1', '192.0.2.1'],
    [1, '192.0.2.1:1234', '192.0.2.1'],
    [1, '2001:db8::1', '2001:db8::1'],
    [1, '[2001:db8::1]:1234', '2001:db8::1'],
    [1, '[2001:db8::1]', '2001:db8::1'],
    [1, '[::ffff:192.0.2.1]:1234', '192.0.2.1'],
    [1, '192.0.2.1:port', '10.0.0.1'],
    [1, '192.0.2:1234', '10.0.0.1'],
    [1, '[2001:db8::1', '10.0.0.1'],
    [1, '[here]:1234', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
  ] as const)
    it(`behind ${hops} proxies that say ${forwarded ?? 'nothing'} is ${expected}`, () => {
      expect(clientAddress(request('::ffff:10.0.0.1', forwarded), hops)).to.equal(expected);
    });
});
