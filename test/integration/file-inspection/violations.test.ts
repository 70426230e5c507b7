import { expect } from 'chai';
import { SECRETS } from './secrets.js';
import { inspect, workflowOf } from './workflow.js';

const { kind, secret } = SECRETS[3] ?? expect.fail();
const ofStep = (parameters: object) => workflowOf({ name: 'Send', parameters });

describe('A file that is refused', () => {
  for (const [what, content, name, detail] of [
    [
      'a secret',
      ofStep({ url: secret }),
      'a.json',
      `must contain no secret; ${placeOf('url')} has what looks like ${kind}`,
    ],
    [
      'a number that reading changes',
      JSON.stringify(ofStep({ n: 5 })).replace('5', '1e400'),
      'a.json',
      `must have numbers that programs read exactly; ${placeOf('n')} is none: write it as a string`,
    ],
    ['a name that stands twice', '{"a":1,"a":1}', 'a.json', 'must have each name once in an object; a is there twice'],
    ['too many levels', '['.repeat(201), 'a.json', 'must have at most 200 levels of nesting'],
    ['no JSON', '{', 'a.json', 'must be valid JSON, as its name says'],
    ['no text', Uint8Array.of(0xff), 'a.txt', 'must be text in UTF-8, as its name says'],
  ] as const)
    it(`is so by a sentence for people: ${what}`, async () => {
      const { violations } = await inspect(content, name);
      expect(violations.map((one) => one.detail)).to.deep.equal([detail]);
    });
});

function placeOf(parameter: string): string {
  return `nodes / "Send" / parameters / ${parameter}`;
}
