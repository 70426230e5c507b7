import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';

/** What a browser keeps between the start of a sign-in and its end. */
export interface Kept {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
}

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const ALLOWED = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] };

/** A cookie has 4 KiB at most. */
const MAX_NEXT_LENGTH = 1_500;

/** Encrypts what browsers keep, for ten minutes, with a key that all processes derive from the client's secret. */
export class KeptSignIns {
  readonly #key: Uint8Array;

  constructor(clientSecret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', clientSecret, '', 'automation-marketplace: sign-in', 32));
  }

  seal({ next, ...others }: Kept): Promise<string> {
    const kept = { ...others, next: next.length > MAX_NEXT_LENGTH ? '' : next };
    return new EncryptJWT(kept).setProtectedHeader(HEADER).setExpirationTime('10 minutes').encrypt(this.#key);
  }

  /** Returns what was sealed; undefined for what was not, or too long ago. */
  async open(sealed: string): Promise<Kept | undefined> {
    try {
      const { payload } = await jwtDecrypt<Kept>(sealed, this.#key, { ...ALLOWED, requiredClaims: ['exp'] });
      return payload;
    } catch {
      return undefined;
    }
  }
}
