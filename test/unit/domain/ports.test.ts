import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  apiKeyRepositoryContract,
  apiKeyVerifierContract,
  auditLogContract,
  automationArchiveContract,
  automationRepositoryContract,
  catalogueSearchContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  oauthRecordsContract,
  sessionRepositoryContract,
  storageContract,
  type Runner,
} from '../../contracts/index.js';

describe('the contracts of the ports', () => {
  /**
   * Promises about time are measured under bench/; each adapter damages its own store to see the repair. What a store
   * may do is no promise.
   */
  const ELSEWHERE = [
    'First, middle and last page cost the same, whatever the number of automations',
    'Every part costs the same, whatever the number of automations',
    'Every part costs the same, whatever the number of keys',
    'Every part costs the same, whatever the number of records',
    'Every such part costs the same, whatever the number of entries',
    'With `repair` it corrects each difference',
    'It may do so in lots: others may see some of them gone, and after a failure some may be left',
    '`planAdd` in `domain/add-plan.ts` decides all of this for an adapter',
    'Rejects as `unavailable` while an index that it needs is not complete, or when the search takes too long: never ' +
      'with a part of the answer',
  ];
  const titles = titlesOf((runner) => {
    const never = () => expect.fail();
    automationRepositoryContract(never, runner);
    automationArchiveContract(never, runner);
    catalogueSearchContract(never, runner);
    categoryRepositoryContract(never, runner);
    apiKeyRepositoryContract(never, runner);
    apiKeyVerifierContract(never, runner);
    developerRepositoryContract(never, runner);
    sessionRepositoryContract(never, runner);
    auditLogContract(never, runner);
    oauthRecordsContract(never, runner);
    storageContract(never, runner);
  });

  it('have a title for every sentence of domain/ports', () => {
    const sentences = readdirSync('domain/ports').flatMap((file) =>
      sentencesOf(readFileSync(`domain/ports/${file}`, 'utf8')),
    );
    expect(sentences).to.include.members(ELSEWHERE).and.to.have.length.above(60);
    expect(
      sentences.filter(
        (sentence) => !ELSEWHERE.includes(sentence) && !titles.suites.some((title) => title.includes(sentence)),
      ),
    ).to.deep.equal([]);
  });

  it('have at least 60 cases, no two of one title', () => {
    expect(titles.cases).to.have.length.above(60);
    expect(new Set(titles.cases).size).to.equal(titles.cases.length);
  });
});

function titlesOf(run: (runner: Runner) => void) {
  const [suites, cases, path]: [string[], string[], string[]] = [[], [], []];
  run({
    describe: (title, suite) => {
      suites.push(title);
      path.push(title);
      suite();
      path.pop();
    },
    it: (title) => cases.push([...path, title].join(' › ')),
  });
  return { suites, cases };
}

/** The sentences of the comments that stand before a method, without their full stops. */
function sentencesOf(ports: string): readonly string[] {
  const comments = Array.from(
    ports.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\w+\(/g),
    ([, comment = '']) => comment,
  );
  return comments
    .map((comment) => comment.replace(/\s*\n\s*\*?\s*/g, ' ').trim())
    .flatMap((comment) => comment.split(/(?<=\.)\s+(?=[A-Z`])/))
    .map((sentence) => sentence.replace(/\.$/, ''));
}
