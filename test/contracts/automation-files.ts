import assert from './assert.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { AutomationFile, FileName } from '../../domain/file.js';
import type { FileFacts } from '../../domain/file-facts.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  at,
  automation,
  automationIdOf,
  BOB,
  bulkWithdrawal,
  EUR,
  fileOf,
  numbers,
  offer,
  offerWithFile,
  revision,
  store,
  storeMany,
  withdrawal,
} from './offers.js';
import { minorUnits } from '../../domain/price.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

const MEBIBYTE = 1_048_576;

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  'every value of a byte': Uint8Array.from(numbers(512), (n) => n),
  'one byte, which is 0': new Uint8Array([0]),
  'one byte, which is no UTF-8': new Uint8Array([0xff]),
  'bytes that are no UTF-8': new Uint8Array([0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80]),
  'a byte order mark, and line ends': new TextEncoder().encode('\uFEFF{\r\n}\n'),
  'a part of a larger list of bytes': Uint8Array.from(numbers(100), (n) => n).subarray(7, 40),
  '1 MiB': Uint8Array.from({ length: MEBIBYTE }, (_, index) => (index * 31 + (index >> 8)) % 256),
};

/** Every fact, with texts that databases and programs have trouble with. */
const FACTS: FileFacts = {
  needs: ['Google Sheets', 'Slack'],
  hosts: ['$set', '__proto__', 'computed', 'zoë.example'],
  credentials: [{ type: 'constructor', host: '🙂'.repeat(127) }],
  abilities: [{ kind: 'code', count: 3 }],
  communityPackages: [],
  brokenConnections: 0,
  unconnectedSteps: 2_000,
  remaining: { documents: ['a.b.$.c'], hosts: [], emails: [`it's "quoted" \\ e\u0301`] },
  isComplete: false,
};

const FILES: Readonly<Record<string, Partial<AutomationFile>>> = {
  'without a platform': {},
  'with a platform': { platform: 'n8n' },
  'with facts': { platform: 'n8n', facts: FACTS },
  'with the longest name': { name: `${'🙂'.repeat(95)}.json` as FileName },
};

const SMALL = new Uint8Array([1, 2, 3]);
const LARGE = new Uint8Array(70_000).fill(7);

export function filePromises(suite: Automations): void {
  bytes(suite);
  together(suite);
  revisions(suite);
  withdrawals(suite);
  pages(suite);
}

function bytes({ describe, it }: Automations): void {
  const sentence =
    "Returns the bytes of an automation's file as they went in; undefined when it has none, and when the id is " +
    'unknown or withdrawn';
  describe(sentence, () => {
    for (const [what, content] of Object.entries(CONTENTS))
      it(what, async (repository) => {
        await store(repository, offerWithFile(1, content));
        await assertFile(repository, 1, content);
      });

    for (const [what, fields] of Object.entries(FILES))
      it(`the automation has its file, ${what}`, async (repository) => {
        const file = fileOf(SMALL, fields);
        const stored = await store(repository, offer(1), offerWithFile(2, SMALL, { file, key: 'key' }));
        await assertOnSale(repository, stored);
        const { automations } = await repository.list({ page: { number: 1, limit: 2 }, whole: true });
        assert.deepEqual(automations, stored.toReversed());
        const again = await addOne(repository, offer(3, { key: 'key' }));
        assert.deepEqual(again, { outcome: 'earlier', automation: stored[1] });
      });

    it('each by its own id, of several in one call', async (repository) => {
      const contents = numbers(20).map((n) => new Uint8Array(n).fill(n));
      await store(repository, ...contents.flatMap((content, n) => [offer(100 + n), offerWithFile(n + 1, content)]));
      for (const [n, content] of contents.entries()) await assertFile(repository, n + 1, content);
    });

    it('undefined without a file, for an unknown id, and for one in upper case', async (repository) => {
      assert.equal(await repository.readFile(automationIdOf(1)), undefined);
      await store(repository, offer(1), offerWithFile(3, SMALL));
      for (const id of [automationIdOf(1), automationIdOf(2), automationIdOf(3).toUpperCase(), '', '\0', '\uD800'])
        assert.equal(await repository.readFile(id as AutomationId), undefined);
    });

    it('as they went in, whatever happens to the lists that went in and came out', async (repository) => {
      const sent = Uint8Array.from(SMALL);
      await store(repository, offerWithFile(1, sent));
      sent.fill(9);
      (await repository.readFile(automationIdOf(1)))?.fill(9);
      await assertFile(repository, 1, SMALL);
    });
  });
}

function together({ describe, it }: Automations): void {
  describe('They are stored, replaced and removed together with the automation: both or neither', () => {
    it('not those of an offer that was not stored', async (repository) => {
      await store(repository, offerWithFile(1, SMALL, { key: 'key' }));
      assert.equal((await addOne(repository, offerWithFile(1, LARGE))).outcome, 'conflict');
      assert.equal((await addOne(repository, offerWithFile(2, LARGE, { key: 'key' }))).outcome, 'earlier');
      const price = { minorUnits: minorUnits(0), currency: EUR };
      assert.equal((await addOne(repository, offerWithFile(3, LARGE, { price }))).outcome, 'other-currency');
      await assertFile(repository, 1, SMALL);
      for (const n of [2, 3]) await assertFile(repository, n, undefined);
    });

    it('also when its key passes to a later offer of the same call', async (repository) => {
      const first = offerWithFile(1, SMALL, { key: 'key', until: at(5) });
      await store(repository, first, offerWithFile(2, LARGE, { key: 'key', createdAt: at(6) }));
      await assertFile(repository, 1, SMALL);
      await assertFile(repository, 2, LARGE);
    });

    it('not those of a revision that is a conflict, of an unknown one and in another currency', async (repository) => {
      const [one = automation(0)] = await store(repository, offerWithFile(1, SMALL));
      const price = { minorUnits: minorUnits(0), currency: EUR };
      const file = fileOf(LARGE);
      for (const sent of [
        { ...revision(one, { file }), basedOn: at(-1) },
        revision(one, { file, price }),
        revision(automation(2), { file }),
      ])
        assert.notEqual((await repository.revise({ ...sent, fileContent: LARGE })).outcome, 'revised');
      assert.notEqual(
        (await repository.revise({ ...revision(one, { file: null }), basedOn: at(1) })).outcome,
        'revised',
      );
      await assertFile(repository, 1, SMALL);
      await assertFile(repository, 2, undefined);
    });

    it('of 12 revisions at once, those of the one that was stored', async (repository) => {
      const [one = automation(0)] = await store(repository, offerWithFile(1, SMALL));
      const contents = numbers(12).map((n) => new Uint8Array(1_000 * n).fill(n));
      const answers = await Promise.all(contents.map((content) => replaceFile(repository, one, content)));
      const winner = contents[answers.findIndex((answer) => answer === 'revised')];
      await assertFile(repository, 1, winner);
      assert.deepEqual((await repository.find(one.id))?.file, winner && fileOf(winner));
    });
  });
}

function revisions({ describe, it }: Automations): void {
  const sentence =
    'A revision with `fileContent` replaces them, one whose automation has no file removes them, and any other ' +
    'keeps them';
  describe(sentence, () => {
    it('replaced by more and by fewer, and stored where there were none', async (repository) => {
      const [first = automation(0)] = await store(repository, offer(1), offerWithFile(2, SMALL));
      let current: Automation = first;
      for (const content of [SMALL, LARGE, CONTENTS['1 MiB'] ?? SMALL, new Uint8Array([0])]) {
        assert.equal(await replaceFile(repository, current, content), 'revised');
        current = (await repository.find(first.id)) ?? assert.fail('it is on sale');
        assert.deepEqual(current.file, fileOf(content));
        await assertFile(repository, 1, content);
      }
      await assertFile(repository, 2, SMALL);
    });

    it('removed, and those of others stay', async (repository) => {
      const [one = automation(0), two] = await store(repository, offerWithFile(1, SMALL), offerWithFile(2, LARGE));
      const sent = revision(one, { file: null });
      assert.deepEqual(await repository.revise(sent), { outcome: 'revised' });
      await assertFile(repository, 1, undefined);
      await assertFile(repository, 2, LARGE);
      await assertOnSale(repository, [sent.automation, two ?? one]);
    });

    it('kept when another field changes, and when the file gets another name', async (repository) => {
      const [one = automation(0)] = await store(repository, offerWithFile(1, SMALL));
      const renamed = revision(one, { title: 'New', file: fileOf(SMALL, { name: 'new.json' as FileName }) });
      assert.deepEqual(await repository.revise(renamed), { outcome: 'revised' });
      await assertFile(repository, 1, SMALL);
      await assertOnSale(repository, [renamed.automation]);
    });
  });
}

function withdrawals({ describe, it }: Automations): void {
  describe('A withdrawal removes them for good', () => {
    it('of one, and those of others stay', async (repository) => {
      await store(repository, offerWithFile(1, SMALL), offerWithFile(2, LARGE));
      await repository.withdraw(automationIdOf(1), withdrawal(1));
      await assertFile(repository, 1, undefined);
      await assertFile(repository, 2, LARGE);
    });

    it('not when nothing was withdrawn', async (repository) => {
      await store(repository, offerWithFile(1, SMALL));
      assert.equal(await repository.withdraw(automationIdOf(1), withdrawal(1, { developerId: BOB })), 'unknown');
      await assertFile(repository, 1, SMALL);
    });

    it('of all of a developer, part by part, and those of others stay', async (repository) => {
      const offers = numbers(6).map((n) => offerWithFile(n, SMALL, n === 6 ? { developerId: BOB } : {}));
      await store(repository, ...offers);
      await repository.withdrawAll(bulkWithdrawal(3));
      for (const n of [1, 2, 3]) await assertFile(repository, n, undefined);
      for (const n of [4, 5, 6]) await assertFile(repository, n, SMALL);
      await repository.withdrawAll(bulkWithdrawal(3, { firstEntry: 4 }));
      for (const n of [4, 5]) await assertFile(repository, n, undefined);
      await assertFile(repository, 6, SMALL);
    });
  });
}

function pages({ describe, it }: Automations): void {
  describe('Lists and searches do not read them, so files do not change the cost of a page', () => {
    it('300 automations, each with a file', async (repository) => {
      const offers = numbers(300).map((n) => offerWithFile(n, new Uint8Array(2_000).fill(n)));
      await assertOnSale(repository, await storeMany(repository, offers), [100]);
      await assertFile(repository, 300, new Uint8Array(2_000).fill(300));
    });
  });
}

async function replaceFile(
  repository: AutomationRepository,
  current: Automation,
  content: Uint8Array,
): Promise<'revised' | 'conflict' | 'unknown' | 'other-currency'> {
  const sent = revision(current, { file: fileOf(content) });
  return (await repository.revise({ ...sent, fileContent: content })).outcome;
}

/** Asserts that the nth automation has a file with these bytes, or none. */
async function assertFile(repository: AutomationRepository, n: number, content: Uint8Array | undefined): Promise<void> {
  const found = await repository.readFile(automationIdOf(n));
  assert.equal(found?.length, content?.length);
  if (found && content)
    assert.ok(
      found.every((byte, index) => byte === content[index]),
      'the bytes are the same',
    );
}
