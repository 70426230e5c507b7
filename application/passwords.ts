import { DomainError } from '../domain/errors.js';
import { randomBytes, scrypt, timingSafeEqual } from './defaults.js';

/** How much a hash costs, and how many are made at once. */
export interface PasswordsOptions {
  /** The logarithm of scrypt's N: each one more doubles time and memory. 17, which takes 128 MiB, unless a test is in a hurry. */
  readonly cost?: number | undefined;
  /** Passwords hashed at once, and waiting for that; one more is refused. */
  readonly atOnce?: number | undefined;
  readonly waiting?: number | undefined;
}

const USUAL = { cost: 17, atOnce: 2, waiting: 32 };
const [BLOCK_SIZE, PARALLEL, SALT_LENGTH, HASH_LENGTH] = [8, 1, 16, 32];
const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Hashes passwords with scrypt at OWASP's figures (N=2^17, r=8, p=1), written as PHC strings: `$scrypt$ln=17,r=8,p=1$salt$hash`
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html). Never more than a few at once, since each takes
 * 128 MiB and a thread. Fails as `unavailable` when too many are waiting.
 */
export class Passwords {
  readonly #cost: number;
  readonly #most: number;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  readonly #nobodys: string;
  #running = 0;

  /** Each one counts for itself: a process has one. */
  constructor(options: PasswordsOptions = {}) {
    const { cost = USUAL.cost, atOnce = USUAL.atOnce, waiting = USUAL.waiting } = options;
    this.#cost = cost;
    this.#atOnce = atOnce;
    this.#most = waiting;
    this.#nobodys = encoded(cost, new Uint8Array(SALT_LENGTH), new Uint8Array(HASH_LENGTH));
  }

  /** A PHC string with a salt of its own; the password in Unicode's NFC. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_LENGTH);
    return encoded(this.#cost, salt, await this.#derive(password, salt, this.#cost, BLOCK_SIZE, PARALLEL));
  }

  /** Whether the password is the one of the hash. Without a hash it takes as long to say no. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, cost, blockSize, parallel, salt = '', expected = ''] = FORM.exec(hash ?? this.#nobodys) ?? [];
    const derived = await this.#derive(password, bytesOf(salt), Number(cost), Number(blockSize), Number(parallel));
    return timingSafeEqual(derived, bytesOf(expected)) && hash !== undefined;
  }

  /** Of one password typed on two keyboards, composed and decomposed, the hash is the same. */
  async #derive(password: string, salt: Uint8Array, cost: number, r: number, p: number): Promise<Uint8Array> {
    await this.#turn();
    try {
      return await scrypt(password.normalize('NFC'), salt, HASH_LENGTH, { N: 2 ** cost, r, p, maxmem: 256 * r * 2 ** cost });
    } finally {
      this.#passOn();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#atOnce) return void (this.#running += 1);
    if (this.#waiting.length >= this.#most)
      throw new DomainError('unavailable', 'too-many-sign-ins', 'too many are signing in right now; try again in a few seconds');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Whoever waits longest takes over the turn, before anybody who comes later could. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

function encoded(cost: number, salt: Uint8Array, hash: Uint8Array): string {
  return `$scrypt$ln=${cost},r=${BLOCK_SIZE},p=${PARALLEL}$${textOf(salt)}$${textOf(hash)}`;
}

/** Base64 without padding, as PHC strings have it. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
