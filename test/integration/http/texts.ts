import { expect } from 'chai';
import fc from 'fast-check';
import { illegalText, legalText } from '../../support/random-text.js';
import type { TestService } from '../../support/service.js';
import { ask, offer } from './hostile/ask.js';
import { inParallel } from './hostile/in-parallel.js';
import { slugOf } from '../../../adapters/conformance/answer.js';
import { DRAFT } from './hostile/row.js';
import { fieldsOf } from '../../../adapters/conformance/row-faults.js';
import { totalOf } from './hostile/run.js';

const legal = fc.record({
  title: legalText(200, { multiline: false }),
  description: fc.oneof(
    { weight: 9, arbitrary: legalText(300, { multiline: true }) },
    { weight: 1, arbitrary: legalText(10_000, { multiline: true }) },
  ),
});
const illegal = fc.record({ title: illegalText({ multiline: false }), description: illegalText({ multiline: true }) });

/** How many texts, and which. */
export interface Sample {
  readonly numRuns: number;
  readonly seed: number;
}

/** What was created, what is read and what was sent must be the same. */
export async function sendLegalTexts(service: TestService, key: string, sample: Sample): Promise<void> {
  const before = await totalOf(service);
  await inParallel(fc.sample(legal, sample), async (texts) => {
    const created = await offer(service.url, key, { ...DRAFT, ...texts });
    expect(created.status, JSON.stringify(texts)).to.equal(201);
    const read = await ask(`${service.url}${created.headers.get('location') ?? ''}`, { key });
    const { title, description } = JSON.parse(read.body) as typeof texts;
    expect({ title, description }).to.deep.equal(texts);
    expect(read.body, 'the answer of the create and of the read').to.equal(created.body);
  });
  const list = JSON.parse((await ask(`${service.url}/api/automations?limit=100`, { key })).body) as {
    data: { title: string }[];
    total: number;
  };
  expect(list.total - before).to.equal(sample.numRuns);
  expect(list.data.filter(({ title }) => title !== title.trim())).to.deep.equal([]);
}

/** All are refused, for title and description, and nothing is stored. */
export async function sendIllegalTexts(service: TestService, key: string, sample: Sample): Promise<void> {
  const total = await totalOf(service);
  await inParallel(fc.sample(illegal, sample), async (texts) => {
    const answer = await offer(service.url, key, { ...DRAFT, ...texts });
    expect(slugOf(answer), JSON.stringify(texts)).to.equal('validation-error');
    expect(fieldsOf(answer), JSON.stringify(texts)).to.have.members(['/title', '/description']);
  });
  expect(await totalOf(service)).to.equal(total);
}
