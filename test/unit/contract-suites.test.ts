import { expect } from 'chai';
import { inMemoryStorage } from '../../adapters/in-memory/index.js';
import type { Storage } from '../../application/index.js';
import { auditLogContract, storageContract, type Fresh, type Runner, type StorageHandles } from '../contracts/index.js';
import { everyContract } from '../support/every-contract.js';

type Cases = Map<string, () => Promise<void>>;

/** Returns the cases that a suite declares, by their whole titles. */
function casesOf(declare: (runner: Runner) => void): Cases {
  const [cases, path]: [Cases, string[]] = [new Map(), []];
  declare({
    describe: (title, suite) => {
      path.push(title);
      suite();
      path.pop();
    },
    it: (title, test) => cases.set([...path, title].join(' › '), test),
  });
  return cases;
}

describe('A contract suite', () => {
  it('has no two cases of one title', () => {
    let count = 0;
    const never = () => expect.fail();
    const cases = casesOf(({ describe: nested, it: add }) =>
      everyContract(
        { empty: never, unprepared: never },
        {
          describe: nested,
          it: (title, test) => {
            count += 1;
            add(title, test);
          },
        },
      ),
    );
    expect(cases.size).to.equal(count).and.be.above(60);
  });

  it('does what is to be done at the end of each test, the last first, passed or not', async () => {
    const done: string[] = [];
    let isBroken = false;
    const fresh: Fresh<Storage['auditLog']> = (onEnd) => {
      const { auditLog } = inMemoryStorage();
      onEnd(() => done.push('first'));
      onEnd(async () => done.push('last'));
      return isBroken ? { ...auditLog, append: () => Promise.reject(new Error('broken')) } : auditLog;
    };
    const cases = [...casesOf((runner) => auditLogContract(fresh, runner)).values()];
    await cases[0]?.();
    isBroken = true;
    expect(String(await cases[0]?.().catch(String))).to.include('broken');
    expect(done).to.deep.equal(['last', 'first', 'last', 'first']);
  });

  it('fails when the end of a test fails, but not in place of the failure of the test', async () => {
    const failing: Fresh<Storage['auditLog']> = (onEnd) => {
      onEnd(() => Promise.reject(new Error('at the end')));
      return inMemoryStorage().auditLog;
    };
    const [test] = casesOf((runner) => auditLogContract(failing, runner)).values();
    expect(await test?.().catch(String)).to.equal('Error: at the end');
    const broken: Fresh<Storage['auditLog']> = (onEnd) => {
      onEnd(() => Promise.reject(new Error('at the end')));
      throw new Error('of the test');
    };
    const [other] = casesOf((runner) => auditLogContract(broken, runner)).values();
    expect(await other?.().catch(String)).to.equal('Error: of the test');
  });

  it('of a storage leaves out what needs a part that is not its own, by name, and tests the rest', async () => {
    const foreign = new Proxy(inMemoryStorage().keys, {
      get: () => () => Promise.reject(new Error('the keys of another store were asked')),
    });
    const fresh = (): StorageHandles => {
      const storage = { ...inMemoryStorage(), keys: foreign };
      return [storage, storage];
    };
    const casesWith = (options: object) => casesOf((runner) => storageContract(fresh, runner, options));
    const titles = [/two handles.*› API keys$/, /two handles.*› sessions$/, /every port can be used/];
    const run = async (cases: Cases) => {
      const chosen = titles.map(
        (title) => [...cases].find(([name]) => title.test(name))?.[1] ?? expect.fail(`${title}`),
      );
      return Promise.all(
        chosen.map((test) =>
          test().then(
            () => 'passed or left out',
            () => 'failed',
          ),
        ),
      );
    };
    expect(await run(casesWith({}))).to.deep.equal(['failed', 'passed or left out', 'failed']);
    const printed: unknown[] = [];
    const { warn } = console;
    console.warn = (line: unknown) => printed.push(line);
    try {
      const outcomes = await run(casesWith({ without: ['keys'] }));
      expect(outcomes).to.deep.equal(titles.map(() => 'passed or left out'));
    } finally {
      console.warn = warn;
    }
    expect(printed).to.deep.equal(["Left out: what needs `keys`, which is not the storage's own"]);
  });

  it('of a storage refuses to leave out a part that there is not', async () => {
    const fresh = (): StorageHandles => [inMemoryStorage(), inMemoryStorage()];
    const [test] = casesOf((runner) => storageContract(fresh, runner, { without: ['kees' as never] })).values();
    expect(String(await test?.().catch(String))).to.equal(
      'TypeError: the storage has no part kees that the suite could leave out',
    );
  });
});
