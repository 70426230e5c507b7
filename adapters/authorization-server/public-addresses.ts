import { BlockList, isIP } from 'node:net';

/** IANA's registry of special-purpose addresses of IPv4, and the networks of multicast. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Every other network of IPv6 is special, reserved or not assigned, such as `::1`, `fe80::/10` and `fec0::/10`. */
const GLOBAL_IPV6 = ['2000::/3'];
/** IANA's registry of special-purpose addresses of IPv6, as far as it is within the global ones. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = { 4: listOf(SPECIAL_IPV4, 'ipv4'), 6: listOf(SPECIAL_IPV6, 'ipv6') };
const global = listOf(GLOBAL_IPV6, 'ipv6');

/** Returns whether an IP address can be that of a public server: it is one, and is of no special-purpose network. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special[4].check(address, 'ipv4');
    case 6:
      return !address.includes('%') && global.check(address, 'ipv6') && !special[6].check(address, 'ipv6');
    default:
      return false;
  }
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
