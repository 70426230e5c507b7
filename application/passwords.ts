import { DomainError } from '../domain/errors.js';
import { PASSWORD_LENGTH } from '../domain/password.js';
import { randomBytes, scrypt, timingSafeEqual } from './defaults.js';
import { Semaphore } from '../domain/semaphore.js';
import { isLongerThan } from '../domain/text.js';

/** The cost of a hash, and how many are computed at the same time. */
export interface PasswordsOptions {
  /** The logarithm of scrypt's N; 17 by default, which takes 128 MiB. One more doubles time and memory. */
  readonly cost?: number | undefined;
  /** The number of passwords that are hashed at the same time; 2 by default. */
  readonly atOnce?: number | undefined;
  /** The number of passwords that may wait; 32 by default. */
  readonly waiting?: number | undefined;
}

const DEFAULTS = { cost: 17, atOnce: 2, waiting: 32 };
const [BLOCK_SIZE, PARALLEL, SALT_LENGTH, HASH_LENGTH] = [8, 1, 16, 32];
const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Hashes passwords with scrypt at OWASP's figures (N=2^17, r=8, p=1), written as PHC strings:
 * `$scrypt$ln=17,r=8,p=1$salt$hash` (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 * Each takes 128 MiB and a thread, so few run at the same time. Fails as `unavailable` when too many wait.
 */
export class Passwords {
  readonly #cost: number;
  readonly #dummyHash: string;
  readonly #slots: Semaphore;

  /** Counts only its own hashes: a process has one. */
  constructor(options: PasswordsOptions = {}) {
    const { cost = DEFAULTS.cost, atOnce = DEFAULTS.atOnce, waiting = DEFAULTS.waiting } = options;
    this.#cost = cost;
    this.#slots = new Semaphore(atOnce, waiting);
    this.#dummyHash = encoded(cost, new Uint8Array(SALT_LENGTH), new Uint8Array(HASH_LENGTH));
  }

  /** Returns a PHC string with a new salt. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_LENGTH);
    return encoded(this.#cost, salt, await this.#derive(password, salt, this.#cost, BLOCK_SIZE, PARALLEL));
  }

  /**
   * Returns whether the password has this hash. Without a hash it takes as long to return false. A text that is longer
   * than any password is not even normalized.
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    if (isLongerThan(password, PASSWORD_LENGTH.highest)) return false;
    const [, cost, blockSize, parallel, salt = '', expected = ''] = FORM.exec(hash ?? this.#dummyHash) ?? [];
    const derived = await this.#derive(password, fromBase64(salt), Number(cost), Number(blockSize), Number(parallel));
    return timingSafeEqual(derived, fromBase64(expected)) && hash !== undefined;
  }

  /** Takes the password in Unicode's NFC: two keyboards may compose the same password differently. */
  async #derive(password: string, salt: Uint8Array, cost: number, r: number, p: number): Promise<Uint8Array> {
    if (this.#slots.isFull)
      throw new DomainError(
        'unavailable',
        'too-many-sign-ins',
        'too many sign-ins at the moment; try again in a few seconds',
      );
    const options = { N: 2 ** cost, r, p, maxmem: 256 * r * 2 ** cost };
    return this.#slots.run(() => scrypt(password.normalize('NFC'), salt, HASH_LENGTH, options));
  }
}

function encoded(cost: number, salt: Uint8Array, hash: Uint8Array): string {
  return `$scrypt$ln=${cost},r=${BLOCK_SIZE},p=${PARALLEL}$${toBase64(salt)}$${toBase64(hash)}`;
}

/** Returns base64 without padding, as in PHC strings. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
