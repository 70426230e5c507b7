import { expect } from 'chai';
import { networkOf } from '../../../domain/address.js';

describe('an address of IPv6', () => {
  for (const [address, customer, block] of [
    ['2001:db8:1:2ff:3:4:5:6', '2001:db8:1:200::/56', '2001:db8:1::/48'],
    ['2001:DB8:a:0bcd::', '2001:db8:a:b00::/56', '2001:db8:a::/48'],
    ['::1', '0:0:0:0::/56', '0:0:0::/48'],
  ] as const)
    it(`${address} is one of ${customer} and of ${block}`, () =>
      expect([networkOf(address, 56), networkOf(address, 48)]).to.deep.equal([customer, block]));
});

describe('an address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:a:B::', '2001:db8:a:b::/64'],
    ['2001::a:b:c:d:e', '2001:0:0:a::/64'],
    ['1:2::5:6:7:192.0.2.1', '1:2:0:5::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ] as const)
    it(`${address || 'that is not known'} stands for ${network || 'itself'}`, () =>
      expect(networkOf(address)).to.equal(network));
});
