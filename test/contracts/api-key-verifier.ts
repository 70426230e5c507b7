import assert from './assert.js';
import type { Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import { tamper } from './handles.js';
import { ADA, BOB, numbers } from './offers.js';
import { globalRunner, suiteOver, type Runner, type Suite } from './runner.js';

/** A verifier, and what can be shown to it. */
export interface Credentialed {
  readonly verifier: ApiKeyVerifier;
  /** One credential for each caller, in their order. */
  readonly credentials: readonly string[];
  /** Credentials that were good once: expired and revoked ones, as far as the verifier has any. */
  readonly ended: readonly string[];
}

type Credentials = Suite<Credentialed>;

const CALLERS: readonly Caller[] = [
  { developerId: ADA, scopes: ['automations:read', 'automations:write'] },
  { developerId: ADA, scopes: ['automations:read'] },
  { developerId: BOB, scopes: ['automations:write'] },
];

/** What every `ApiKeyVerifier` owes. `fresh` makes one that knows these callers. */
export function apiKeyVerifierContract(
  fresh: (callers: readonly Caller[]) => Credentialed | Promise<Credentialed>,
  runner: Runner = globalRunner(),
): void {
  const suite = suiteOver(() => fresh(structuredClone(CALLERS)), runner);
  suite.describe('ApiKeyVerifier', () => {
    suite.describe('verify', () => verifyPromises(suite));
    handlePromises(suite);
  });
}

function verifyPromises(suite: Credentials): void {
  knows(suite);
  refuses(suite);
  anyText(suite);
  unavailable(suite);
}

function knows({ describe, it }: Credentials): void {
  describe('Returns the caller with this credential', () => {
    for (const [index, { developerId, scopes }] of CALLERS.entries())
      it(`${developerId} with ${scopes.join(' and ')}`, async ({ verifier, credentials }) => {
        await assertIs(verifier, credentials[index], index);
      });

    it('again and again', async ({ verifier, credentials }) => {
      for (const index of [0, 1, 2, 1, 0, 0]) await assertIs(verifier, credentials[index], index);
    });

    it('never the credential itself', async ({ verifier, credentials }) => {
      for (const credential of credentials)
        assert.ok(!JSON.stringify(await verifier.verify(credential)).includes(credential));
    });
  });
}

/** Texts that are no credential but look much like one. */
const NEARLY: Readonly<Record<string, (credential: string) => string>> = {
  'one character less': (credential) => credential.slice(0, -1),
  'one character more': (credential) => `${credential}0`,
  'another character within': (credential) => {
    const middle = credential.length >> 1;
    return credential.slice(0, middle) + (credential[middle] === 'a' ? 'b' : 'a') + credential.slice(middle + 1);
  },
  'in capital letters': (credential) => credential.toUpperCase(),
  'a space before': (credential) => ` ${credential}`,
  'a line feed after': (credential) => `${credential}\n`,
  'a NUL after': (credential) => `${credential}\0`,
  'with the scheme': (credential) => `Bearer ${credential}`,
  twice: (credential) => credential + credential,
};

function refuses({ describe, it }: Credentials): void {
  describe('Returns undefined for every other credential, such as a malformed, unknown, expired or revoked one', () => {
    for (const [what, change] of Object.entries(NEARLY))
      it(what, async ({ verifier, credentials }) => {
        for (const [index, credential] of credentials.entries()) {
          assert.equal(await verifier.verify(change(credential)), undefined);
          await assertIs(verifier, credential, index);
        }
      });

    it('every one that has ended', async ({ verifier, ended }) => {
      for (const credential of ended) assert.equal(await verifier.verify(credential), undefined);
    });
  });
}

const ANY_TEXT: Readonly<Record<string, string>> = {
  'no character': '',
  'white space': ' \t\r\n\u00A0',
  'half a surrogate pair': '\uD800',
  emoji: '👩‍👩‍👧‍👦',
  'names that objects have': '__proto__',
  'other names that objects have': 'constructor',
  dots: 'a.b.c',
  'a pattern': '%_*.^$',
  'a million characters': 'a'.repeat(1_000_000),
  'a million characters of a key': `amk_${'0'.repeat(1_000_000)}`,
  'a million dots': '.'.repeat(1_000_000),
};

function anyText({ describe, it }: Credentials): void {
  describe('Accepts any text of any length without failing', () => {
    for (const [what, text] of Object.entries(ANY_TEXT))
      it(what, async ({ verifier }) => {
        assert.equal(await verifier.verify(text), undefined);
      });
  });
}

function unavailable({ describe, it }: Credentials): void {
  describe('Rejects as `unavailable` when it cannot be decided', () => {
    it('100 at once: each is known or unavailable, none refused', async ({ verifier, credentials }) => {
      const tellOne = async (n: number) => {
        const index = n % credentials.length;
        await assertIs(verifier, credentials[index], index).catch((error: unknown) => {
          if ((error as { kind?: unknown }).kind !== 'unavailable') throw error;
        });
      };
      await Promise.all(numbers(100).map(tellOne));
    });
  });
}

function handlePromises({ describe, it }: Credentials): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('a caller', async ({ verifier, credentials }) => {
      tamper(await verifier.verify(credentials[1] ?? ''));
      await assertIs(verifier, credentials[1], 1);
    });
  });
}

/** That this credential is one of this caller. */
async function assertIs(verifier: ApiKeyVerifier, credential = '', index: number): Promise<void> {
  const caller = await verifier.verify(credential);
  const { developerId, scopes } = CALLERS[index] ?? assert.fail();
  assert.equal(caller?.developerId, developerId);
  assert.deepEqual(Array.from(caller.scopes).sort(), scopes);
}
