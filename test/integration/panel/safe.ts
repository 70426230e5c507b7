import { expect } from 'chai';
import type { Sent } from '../../support/socket.js';

const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Expects the headers that every page has. */
export function expectSafe({ headers }: Sent): void {
  for (const [name, value] of Object.entries(SAFE)) expect(headers.get(name), name).to.equal(value);
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('vary')).to.equal('Cookie');
  expect(headers.get('x-request-id')).to.match(/^[\w-]{1,64}$/);
  expect(headers.get('x-powered-by')).to.equal(null);
  expect(headers.get('access-control-allow-origin')).to.equal(null);
}
