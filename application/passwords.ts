import { DomainError } from '../domain/errors.js';
import { PASSWORD_LENGTH } from '../domain/password.js';
import { randomBytes, scrypt, timingSafeEqual } from './defaults.js';
import { FairQueue, type QueuePlace } from './fair-queue.js';
import { isLongerThan } from '../domain/text.js';

/** The cost of a hash, and how many are computed at the same time. */
export interface PasswordsOptions {
  /** The logarithm of scrypt's N; 14 by default, which takes 16 MiB. One more doubles time and memory. */
  readonly cost?: number | undefined;
  /** The number of sign-ins whose passwords are hashed at the same time; 2 by default. */
  readonly atOnce?: number | undefined;
  /** The number of sign-ins that may wait; 32 by default. */
  readonly waiting?: number | undefined;
}

const DEFAULTS = { cost: 14, atOnce: 2, waiting: 32 };
const [BLOCK_SIZE, PARALLEL, SALT_LENGTH, HASH_LENGTH] = [8, 5, 16, 32];
const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Hashes passwords with scrypt at OWASP's figures (N=2^14, r=8, p=5), written as PHC strings:
 * `$scrypt$ln=14,r=8,p=5$salt$hash` (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 * Each takes 16 MiB and a thread, so few run at the same time: two for sign-ins, and one for people who have shown who
 * they are, who do not wait for sign-ins. Fails as `unavailable` when too many wait.
 */
export class Passwords {
  readonly #cost: number;
  readonly #dummyHash: string;
  readonly #signIns: FairQueue;
  readonly #others: FairQueue;

  /** Counts only its own hashes: a process has one. */
  constructor(options: PasswordsOptions = {}) {
    const { cost = DEFAULTS.cost, atOnce = DEFAULTS.atOnce, waiting = DEFAULTS.waiting } = options;
    this.#cost = cost;
    this.#signIns = new FairQueue({ atOnce, maxWaiting: waiting, refusal: tooManySignIns });
    this.#others = new FairQueue({ atOnce: 1, maxWaiting: waiting, refusal: tooManySignIns });
    this.#dummyHash = encoded(cost, new Uint8Array(SALT_LENGTH), new Uint8Array(HASH_LENGTH));
  }

  /** Returns a PHC string with a new salt. Does not wait for sign-ins, but for other new passwords, in fair shares. */
  async hash(password: string, client?: string): Promise<string> {
    const salt = randomBytes(SALT_LENGTH);
    const cost = { N: 2 ** this.#cost, r: BLOCK_SIZE, p: PARALLEL };
    return encoded(this.#cost, salt, await this.#others.run(() => derive(password, salt, cost), { client }));
  }

  /** Returns whether the password has this hash. Waits as `hash` does. */
  async verify(password: string, hash: string | undefined, client?: string): Promise<boolean> {
    return this.#compare(password, hash, this.#others, { client });
  }

  /** As `verify`, for a sign-in: these wait for each other. Without a hash it takes as long to return false. */
  async verifySignIn(password: string, hash: string | undefined, place: QueuePlace = {}): Promise<boolean> {
    return this.#compare(password, hash, this.#signIns, place);
  }

  /** A text that is longer than any password is not even normalized. */
  async #compare(password: string, hash: string | undefined, queue: FairQueue, place: QueuePlace): Promise<boolean> {
    if (isLongerThan(password, PASSWORD_LENGTH.highest)) return false;
    const [, cost, r, p, salt = '', expected = ''] = FORM.exec(hash ?? this.#dummyHash) ?? [];
    const options = { N: 2 ** Number(cost), r: Number(r), p: Number(p) };
    const derived = await queue.run(() => derive(password, fromBase64(salt), options), place);
    return timingSafeEqual(derived, fromBase64(expected)) && hash !== undefined;
  }
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Takes the password in Unicode's NFC: two keyboards may compose the same password differently. */
function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  const maxmem = 256 * cost.r * (cost.N + cost.p);
  return scrypt(password.normalize('NFC'), salt, HASH_LENGTH, { ...cost, maxmem });
}

function tooManySignIns(): DomainError {
  const message = 'too many sign-ins at the moment; try again in a few seconds';
  return new DomainError('unavailable', 'too-many-sign-ins', message);
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
