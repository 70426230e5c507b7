import { expect } from 'chai';
import { isPublicAddress } from '../../../adapters/authorization-server/public-addresses.js';

/** The first and the last address of each block in IANA's registry of special-purpose addresses of IPv4. */
const IPV4_REGISTRY: Readonly<Record<string, readonly [first: string, last: string]>> = {
  '"This network" (RFC 791)': ['0.0.0.0', '0.255.255.255'],
  'Private-Use (RFC 1918), 10/8': ['10.0.0.0', '10.255.255.255'],
  'Shared Address Space (RFC 6598)': ['100.64.0.0', '100.127.255.255'],
  'Loopback (RFC 1122)': ['127.0.0.0', '127.255.255.255'],
  'Link Local (RFC 3927)': ['169.254.0.0', '169.254.255.255'],
  'Private-Use (RFC 1918), 172.16/12': ['172.16.0.0', '172.31.255.255'],
  'IETF Protocol Assignments (RFC 6890)': ['192.0.0.0', '192.0.0.255'],
  'IPv4 Service Continuity Prefix (RFC 7335)': ['192.0.0.0', '192.0.0.7'],
  'IPv4 dummy address (RFC 7600)': ['192.0.0.8', '192.0.0.8'],
  'Port Control Protocol Anycast (RFC 7723)': ['192.0.0.9', '192.0.0.9'],
  'TURN Anycast (RFC 8155)': ['192.0.0.10', '192.0.0.10'],
  'NAT64/DNS64 Discovery (RFC 7050)': ['192.0.0.170', '192.0.0.171'],
  'Documentation TEST-NET-1 (RFC 5737)': ['192.0.2.0', '192.0.2.255'],
  'AS112-v4 (RFC 7535)': ['192.31.196.0', '192.31.196.255'],
  'AMT (RFC 7450)': ['192.52.193.0', '192.52.193.255'],
  'Deprecated 6to4 Relay Anycast (RFC 7526)': ['192.88.99.0', '192.88.99.255'],
  'Private-Use (RFC 1918), 192.168/16': ['192.168.0.0', '192.168.255.255'],
  'Direct Delegation AS112 Service (RFC 7534)': ['192.175.48.0', '192.175.48.255'],
  'Benchmarking (RFC 2544)': ['198.18.0.0', '198.19.255.255'],
  'Documentation TEST-NET-2 (RFC 5737)': ['198.51.100.0', '198.51.100.255'],
  'Documentation TEST-NET-3 (RFC 5737)': ['203.0.113.0', '203.0.113.255'],
  'Reserved (RFC 1112)': ['240.0.0.0', '255.255.255.254'],
  'Limited Broadcast (RFC 919)': ['255.255.255.255', '255.255.255.255'],
};

/** The same of IPv6. */
const IPV6_REGISTRY: typeof IPV4_REGISTRY = {
  'Loopback Address (RFC 4291)': ['::1', '::1'],
  'Unspecified Address (RFC 4291)': ['::', '::'],
  'IPv4-mapped Address (RFC 4291)': ['::ffff:0:0', '::ffff:255.255.255.255'],
  'IPv4-IPv6 Translation (RFC 6052)': ['64:ff9b::', '64:ff9b::ffff:ffff'],
  'IPv4-IPv6 Translation (RFC 8215)': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'Discard-Only Address Block (RFC 6666)': ['100::', '100::ffff:ffff:ffff:ffff'],
  'Dummy IPv6 Prefix (RFC 9780)': ['100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  'IETF Protocol Assignments (RFC 2928)': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'TEREDO (RFC 4380)': ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Port Control Protocol Anycast (RFC 7723)': ['2001:1::1', '2001:1::1'],
  'TURN Anycast (RFC 8155)': ['2001:1::2', '2001:1::2'],
  'DNS-SD Service Registration Anycast (RFC 9665)': ['2001:1::3', '2001:1::3'],
  'Benchmarking (RFC 5180)': ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  'AMT (RFC 7450)': ['2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  'AS112-v6 (RFC 7535)': ['2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  'Deprecated ORCHID (RFC 4843)': ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'ORCHIDv2 (RFC 7343)': ['2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Drone Remote ID Protocol (RFC 9374)': ['2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Documentation (RFC 3849)': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  '6to4 (RFC 3056)': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Direct Delegation AS112 Service (RFC 7534)': ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  'Documentation (RFC 9637)': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Segment Routing SIDs (RFC 9602)': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Unique-Local (RFC 4193)': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Link-Local Unicast (RFC 4291)': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
};

/** Networks that are in no registry of special purposes, and have no public servers either. */
const OTHERS: typeof IPV4_REGISTRY = {
  'Multicast of IPv4 (RFC 5771)': ['224.0.0.0', '239.255.255.255'],
  'Site-local, deprecated (RFC 3879)': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'Multicast of IPv6 (RFC 4291)': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv4-compatible, deprecated (RFC 4291)': ['::7f00:1', '::ffff:ffff'],
  'Not assigned': ['4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
};

describe('An address is not that of a public server when it is', () => {
  for (const [name, addresses] of Object.entries({ ...IPV4_REGISTRY, ...OTHERS }))
    it(name, () => expect(addresses.map(isPublicAddress)).to.deep.equal([false, false]));
  for (const [name, addresses] of Object.entries(IPV6_REGISTRY))
    it(`of IPv6: ${name}`, () => expect(addresses.map(isPublicAddress)).to.deep.equal([false, false]));

  for (const text of [
    '',
    'localhost',
    '127.1',
    '8.8.8',
    '[::1]',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '8.8.8.8:443',
  ])
    it(`no address, as "${text}"`, () => expect(isPublicAddress(text)).to.equal(false));
});

describe('An address is that of a public server', () => {
  for (const address of [
    ...[
      '1.0.0.0',
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0'],
    ...['223.255.255.255', '2000::', '2001:200::', '2001:db7:ffff::1', '2001:db9::', '2003::', '2606:4700::1111'],
    ...['2620:4f:7fff::1', '2620:4f:8001::', '2A00:1450:4001:80B::200E', '3ffe::1', '3fff:1000::'],
  ])
    it(`as ${address}`, () => expect(isPublicAddress(address)).to.equal(true));
});
