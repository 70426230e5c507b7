import { KeyObject, sign } from 'node:crypto';
import type { CryptoKey } from 'jose';
import type { DeveloperId } from '../../../domain/access.js';
import type { Identity } from '../../../domain/identity.js';
import { AUDIENCE, type Issuer, type SigningKey } from '../../support/issuer.js';

export const NOON = Date.UTC(2026, 0, 1, 12);
/** In seconds, as tokens count. */
export const NOW = NOON / 1000;

export type Claims = Readonly<Record<string, unknown>>;

/** The accounts of an issuer whose ids are the subjects. */
export const identities = { accountOf: async ({ subject }: Identity) => subject as DeveloperId };

/** What a good token of the issuer says. */
export function claimsOf(issuer: Pick<Issuer, 'url'>, claims: Claims = {}): Claims {
  return {
    iss: issuer.url,
    sub: 'ada',
    aud: AUDIENCE,
    exp: NOW + 300,
    iat: NOW,
    jti: 'a',
    client_id: 'app',
    scope: 'automations:read automations:write',
    ...claims,
  };
}

export function headerOf({ alg, kid }: SigningKey, header: Claims = {}): Claims {
  return { alg, typ: 'at+jwt', kid, ...header };
}

/** A token with a good signature, whatever it says. */
export function signed(key: SigningKey, claims: unknown, header: Claims = {}): string {
  return token(headerOf(key, header), claims, (input) => signature(key.privateKey, input));
}

/** As JSON, which leaves out what is undefined. */
export function token(header: unknown, claims: unknown, sign: (input: string) => Buffer): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${sign(input).toString('base64url')}`;
}

/** Of ECDSA both numbers, one after the other (RFC 7518, section 3.4). */
export function signature(key: CryptoKey, input: string): Buffer {
  return sign('sha256', Buffer.from(input), { key: KeyObject.from(key), dsaEncoding: 'ieee-p1363' });
}

export function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}
