import { expect } from 'chai';
import { Program } from './harness.js';

const COUNT = { description: 'category "email", numbers 256 to 511: counted 12, there are 13', repaired: true };
const LOST = { description: 'number 9 has two automations', repaired: false };

function differing(...differences: Program['differences']): Program {
  const program = new Program();
  program.differences = differences;
  return program;
}

describe('check', () => {
  it('ends with 0 where nothing differs', async () => {
    const { code, stdout, stderr } = await differing().run('check');
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: ['nothing differs'], stderr: [] });
    expect((await differing().run('check', '--json')).stdout).to.deep.equal(['[]']);
  });

  it('lists what differs, repairs nothing, and ends with 1', async () => {
    const { code, stdout } = await differing(COUNT).run('check');
    expect({ code, stdout }).to.deep.equal({
      code: 1,
      stdout: [
        `${COUNT.description}; not repaired`,
        '1 difference, 0 repaired; "check --repair" corrects what differs',
      ],
    });
  });

  it('ends with 0 when all was repaired, and with 1 when not', async () => {
    const all = await differing(COUNT, COUNT).run('check', '--repair');
    expect([all.code, all.stdout.at(-1)]).to.deep.equal([0, '2 differences, 2 repaired']);
    expect(all.stdout[0]).to.equal(`${COUNT.description}; repaired`);
    const some = await differing(COUNT, LOST).run('check', '--repair');
    expect([some.code, some.stdout[1]]).to.deep.equal([1, `${LOST.description}; not repaired`]);
  });

  it('is a JSON array on demand', async () => {
    const { code, stdout } = await differing(COUNT, LOST).run('check', '--json', '--repair');
    expect([code, JSON.parse(stdout.join('\n'))]).to.deep.equal([1, [COUNT, LOST]]);
  });

  it('lets no control character through', async () => {
    const odd = { description: 'category "\u001b[2J"', repaired: false };
    expect((await differing(odd).run('check')).stdout[0]).to.include('category "\\u001b[2J"');
  });
});
