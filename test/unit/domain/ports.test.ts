import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  apiKeyRepositoryContract,
  apiKeyVerifierContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
  type Runner,
} from '../../contracts/index.js';

describe('the contracts of the ports', () => {
  /** A promise that takes a clock is measured under bench/. */
  const MEASURED = [
    'First, middle and last page cost the same, whatever the number of automations',
    'Every such part costs the same, whatever the number of automations',
    'Every such part costs the same, whatever the number of entries',
  ];
  const titles = titlesOf((runner) => {
    const never = () => expect.fail();
    automationRepositoryContract(never, runner);
    categoryRepositoryContract(never, runner);
    apiKeyRepositoryContract(never, runner);
    apiKeyVerifierContract(never, runner);
    developerRepositoryContract(never, runner);
    sessionRepositoryContract(never, runner);
    auditLogContract(never, runner);
  });

  it('have a title for every sentence of domain/ports.ts', () => {
    const sentences = sentencesOf(readFileSync('domain/ports.ts', 'utf8'));
    expect(sentences).to.include.members(MEASURED).and.to.have.length.above(25);
    expect(
      sentences.filter(
        (sentence) => !MEASURED.includes(sentence) && !titles.suites.some((title) => title.includes(sentence)),
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
    .flatMap((comment) => comment.split(/(?<=\.)\s+(?=[A-Z])/))
    .map((sentence) => sentence.replace(/\.$/, ''));
}
