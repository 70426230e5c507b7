import { expect } from 'chai';
import type { Session } from '../../../adapters/cli/index.js';
import { Program, type Outcome } from './harness.js';
import { allDevelopers } from '../../contracts/developers.js';
import { allKeys } from '../../contracts/keys.js';

const COMMANDS = [
  'serve',
  'keys issue',
  'keys list',
  'keys rotate',
  'keys revoke',
  'developers invite',
  'developers list',
  'developers suspend',
  'developers restore',
  'categories import',
  'categories export',
  'automations import',
  'automations export',
  'automations withdraw',
  'automations revise',
  'audit',
  'check',
  'backup',
  'conformance',
];

function failingOpen(error: unknown): () => Promise<Session> {
  return async () => {
    throw error;
  };
}

function expectUsageMistake({ code, stdout, stderr }: Outcome, ...parts: readonly string[]): void {
  expect(stdout).to.deep.equal([]);
  expect(stderr).to.have.length(1);
  for (const part of parts) expect(stderr[0]).to.contain(part);
  expect(code).to.equal(2);
}

describe('the command line', () => {
  describe('help', () => {
    for (const words of [['--help'], ['-h'], ['help'], ['help', '--help']])
      it(`lists every command for ${words.join(' ')}`, async () => {
        const { code, stdout } = await new Program().run(...words);
        expect(code).to.equal(0);
        for (const name of COMMANDS)
          expect(
            stdout.some((line) => line.startsWith(`  ${name} `)),
            name,
          ).to.be.true;
      });

    it('lists the commands of a group', async () => {
      for (const words of [
        ['keys', '--help'],
        ['help', 'keys'],
        ['keys', '-h'],
      ]) {
        const { code, stdout } = await new Program().run(...words);
        expect(code).to.equal(0);
        expect(stdout.join('\n')).to.contain('keys issue').and.contain('keys revoke').and.not.contain('categories');
      }
    });

    for (const name of COMMANDS)
      it(`tells usage and options of ${name}, and runs nothing`, async () => {
        const program = new Program();
        for (const words of [
          [...name.split(' '), '--help'],
          ['help', ...name.split(' ')],
        ]) {
          const { code, stdout, stderr } = await program.run(...words);
          expect(code).to.equal(0);
          expect(stdout[0]).to.match(new RegExp(`^automation-marketplace ${name}`));
          expect(stdout.at(-1)).to.contain('--help');
          expect(stderr).to.deep.equal([]);
        }
        expect(program.opened).to.equal(0);
      });

    it('comes before every mistake', async () => {
      const { code, stdout } = await new Program().run('keys', 'issue', 'surplus', '--unknown', '--help');
      expect(code).to.equal(0);
      expect(stdout[0]).to.equal(
        'automation-marketplace keys issue --developer NAME [--name TEXT] [--scopes SCOPE,SCOPE] [--expires DURATION]',
      );
    });

    it('knows no help about an unknown command', async () => {
      expectUsageMistake(await new Program().run('help', 'nonsense'), '"nonsense"');
      expectUsageMistake(await new Program().run('nonsense', '--help'), '"nonsense"');
    });
  });

  describe('wrong usage', () => {
    const mistakes: readonly (readonly [words: string, ...parts: string[]])[] = [
      ['', 'a command is missing; see automation-marketplace --help'],
      ['nonsense', 'unknown command "nonsense". Run --help for the list.'],
      ['keyz issue', 'unknown command "keyz issue". Did you mean "keys issue"? Run --help for the list.'],
      ['keyz issue --developer ada', 'unknown command "keyz issue". Did you mean "keys issue"?'],
      ['keys isue', 'Did you mean "keys issue"?'],
      ['keysissue', 'Did you mean "keys issue"?'],
      ['category import file', 'Did you mean "categories import"?'],
      ['audti', 'Did you mean "audit"?'],
      ['bakup file.db', 'unknown command "bakup file.db". Did you mean "backup"?'],
      ['conform', 'Did you mean "conformance"?'],
      ['hlep', 'Did you mean "help"?'],
      ['--nonsense', 'unknown option "--nonsense". Run --help for the list.'],
      ['--version', 'unknown option "--version"'],
      ['constructor', 'unknown command "constructor"'],
      ['keys', 'a command is missing; keys has issue, list, rotate, revoke; see automation-marketplace keys --help'],
      ['keys nonsense', 'unknown command "keys nonsense". Run --help for the list.'],
      ['serve now', 'unexpected argument "now"', 'takes no arguments', 'see automation-marketplace serve --help'],
      ['keys issue', '--developer NAME is missing', 'see automation-marketplace keys issue --help'],
      ['keys issue --developer', '--developer needs a value'],
      ['keys issue --developer --name', '--developer needs a value', '--developer=NAME'],
      ['keys issue --developer a --developer b', '--developer is given twice'],
      ['keys issue --developer a --expires soon', '--expires must be a number and s, m, h or d, such as 90d'],
      ['keys issue --developer a --expires -1d', '--expires needs a value'],
      ['keys issue --developer a --expires 1.5d', '--expires must be'],
      ['keys issue --developer a --expires 90', '--expires must be'],
      ['keys issue --developer a --expires 90D', '--expires must be'],
      ['keys list --jsn', 'unknown option --jsn. Did you mean --json? Run keys list --help for the list.'],
      ['keys list --dev acme', 'unknown option --dev. Did you mean --developer?'],
      ['keys list -x', 'unknown option -x. Run keys list --help for the list.'],
      ['keys list --constructor', 'unknown option --constructor. Run'],
      ['keys list --json=yes', '--json takes no value'],
      ['keys list acme', 'unexpected argument "acme"'],
      ['keys rotate', 'ID is missing'],
      ['keys rotate a b', 'unexpected argument "b"', 'takes ID'],
      ['keys rotate a --overlap long', '--overlap must be'],
      ['keys revoke', 'ID is missing'],
      ['categories import', 'FILE is missing'],
      ['automations import file', '--developer NAME is missing'],
      ['automations import file', '--with-ids for a file from "automations export"'],
      ['automations import file --developer acme --with-ids', '--developer cannot be combined with --with-ids'],
      ['automations import file --with-ids=yes', '--with-ids takes no value'],
      ['automations import --developer acme', 'FILE is missing'],
      ['automations import --with-ids', 'FILE is missing'],
      ['automations export a b', 'unexpected argument "b"', 'takes [FILE]'],
      ['automations export --developer acme', 'unknown option --developer.'],
      ['categories export a b', 'unexpected argument "b"'],
      ['automations withdraw', 'ID is missing'],
      [
        'developers',
        'a command is missing; developers has invite, list, role, rename, suspend, restore; ',
        'see automation-marketplace developers --help',
      ],
      ['developers remove ada', 'unknown command "developers remove".'],
      ['developers invite', 'NAME is missing', 'see automation-marketplace developers invite --help'],
      ['developers invite ada bob', 'unexpected argument "bob"', 'takes NAME'],
      ['developers invite ada --json', 'unknown option --json.'],
      ['developers list ada', 'unexpected argument "ada"', 'takes no arguments'],
      ['developers list --json=yes', '--json takes no value'],
      ['developers suspend', 'NAME is missing'],
      ['developers suspend ada bob', 'unexpected argument "bob"'],
      ['developers restore', 'NAME is missing'],
      ['developers restore ada bob', 'unexpected argument "bob"'],
      ['audit ada', 'unexpected argument "ada"', 'takes no arguments', 'see automation-marketplace audit --help'],
      ['audit --developer', '--developer needs a value'],
      ['audit --count 5', 'unknown option --count. Run audit --help for the list.'],
      ['audit --limit 0', '--limit must be an integer from 1 to 1000000', 'see automation-marketplace audit --help'],
      ['audit --limit 1e3', '--limit must be an integer'],
      ['audit --limit 1000001', '--limit must be an integer'],
      ['audit --since yesterday', '--since must be a time such as', 'or a duration such as 24h'],
      ['audit --since 2026-11-25T08:30', '--since must be a time such as 2026-11-25T08:30Z'],
      ['audit --since 2026-13-01', '--since must be a time'],
      ['audit --since 2026-02-30', '--since must be a time'],
      ['audit --since 2027-02-29T08:30+01:00', '--since must be a time'],
      ['automations list x', 'unexpected argument "x"', 'takes no arguments'],
      ['automations list --limit -1', '--limit needs a value'],
      ['automations list --limit=-1', '--limit must be an integer from 1 to 1000000'],
      ['automations list --limit 2.5', '--limit must be an integer'],
      ['automations list --search', '--search needs a value'],
      ['automations show', 'ID is missing', 'see automation-marketplace automations show --help'],
    ];
    for (const [words, ...parts] of mistakes)
      it(`"${words}" ends with 2 and one line that helps`, async () => {
        const program = new Program();
        expectUsageMistake(await program.run(...words.split(' ').filter((word) => word !== '')), ...parts);
        expect(program.opened).to.equal(0);
      });

    const values: readonly (readonly [words: readonly string[], mistake: string])[] = [
      [['keys', 'issue', '--developer', 'Ada'], '--developer must be 1 to 64'],
      [['keys', 'issue', '--developer', 'ada', '--name', ''], '--name must have 1 to 100 characters'],
      [
        ['keys', 'issue', '--developer', 'ada', '--scopes', 'foo'],
        '--scopes must be one or more of automations:read, automations:write',
      ],
      [['keys', 'issue', '--developer', 'ada', '--expires', '0s'], '--expires must be from 1 second to 100 years'],
      [
        ['keys', 'issue', '--developer', 'Ada', '--name', '', '--scopes', 'foo'],
        'characters; --developer must be 1 to 64',
      ],
      [['keys', 'list', '--developer', 'Ada'], '--developer must be 1 to 64'],
      [['keys', 'rotate', 'x', '--overlap', '366d'], '--overlap must be from 0 to 365 days'],
      [['developers', 'invite', 'Ada'], 'NAME must be 1 to 64'],
      [['developers', 'suspend', 'Ada'], 'NAME must be 1 to 64'],
      [['developers', 'restore', 'Ada'], 'NAME must be 1 to 64'],
      [['developers', 'role', 'Ada', 'buyer'], 'NAME must be 1 to 64'],
      [['developers', 'role', 'ada', 'admin'], 'ROLE must be one of buyer, developer, operator'],
      [['automations', 'import', 'none', '--developer', 'Ada'], '--developer must be 1 to 64'],
      [['automations', 'withdraw', 'x', '--reason', ' '], '--reason must have 1 to 1,000 characters'],
      [['audit', '--developer', 'Ada'], '--developer must be 1 to 64'],
      [['automations', 'list', '--developer', 'Ada'], '--developer must be 1 to 64'],
      [['automations', 'list', '--search', '!?'], '--search must have a letter or a digit'],
    ];
    for (const [words, mistake] of values)
      it(
        `${JSON.stringify(words.join(' '))}, a value that breaks a rule, ` + 'ends with 2 and one line that helps',
        async () => {
          const program = new Program();
          expectUsageMistake(
            await program.run(...words),
            mistake,
            `see automation-marketplace ${words.slice(0, words[0] === 'audit' ? 1 : 2).join(' ')} --help`,
          );
          expect(await allKeys(program.apiKeys)).to.deep.equal([]);
          expect(await allDevelopers(program.developers)).to.deep.equal([]);
        },
      );

    it('lets no control character through', async () => {
      const { stderr } = await new Program().run('\u001b[31mred\nline');
      expect(stderr[0]).to.contain('\\u001b[31mred\\u000aline');
    });
  });

  describe('failure', () => {
    it('to open the store is one line on stderr and ends with 1', async () => {
      const open = failingOpen(new Error('STORAGE=memory keeps nothing that a command could work on'));
      for (const words of [
        ['keys', 'list'],
        ['automations', 'withdraw', 'x'],
        ['categories', 'import', '-'],
      ]) {
        const stdin = (async function* () {
          yield '[{"id":"ai","name":"AI"}]';
        })();
        const { code, stdout, stderr } = await new Program().runWith({ open, stdin }, ...words);
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: [] });
        expect(stderr).to.deep.equal(['STORAGE=memory keeps nothing that a command could work on']);
      }
    });

    it('of the program prints the message only, without control characters', async () => {
      const open = failingOpen(new TypeError('x is not a function\u001b[2J'));
      const { code, stderr } = await new Program().runWith({ open }, 'keys', 'list');
      expect(code).to.equal(1);
      expect(stderr).to.deep.equal(['x is not a function\\u001b[2J']);
    });

    it('that is no Error is printed too', async () => {
      const { code, stderr } = await new Program().runWith({ open: failingOpen('broken') }, 'keys', 'list');
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: ['broken'] });
    });
  });

  it('serves until the service is stopped, and answers its exit code', async () => {
    const program = new Program();
    expect(await program.runWith({ serve: async () => 7 }, 'serve')).to.deep.equal({ code: 7, stdout: [], stderr: [] });
    expect(program.opened).to.equal(0);
  });

  it('tells its version when it knows one', async () => {
    const { code, stdout } = await new Program().runWith({ version: '1.2.3' }, '--version');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ['1.2.3'] });
  });

  it('has a store made only by the commands that put the first into it', async () => {
    const makers = [
      ['keys', 'issue', '--developer', 'ada'],
      ['developers', 'invite', 'ada'],
      ['categories', 'import', '-'],
    ];
    const others = [
      ['keys', 'list'],
      ['keys', 'rotate', 'x'],
      ['keys', 'revoke', 'x'],
      ['developers', 'list'],
      ['developers', 'suspend', 'ada'],
      ['developers', 'restore', 'ada'],
      ['categories', 'export'],
      ['automations', 'import', '-', '--developer', 'ada'],
      ['automations', 'import', '-', '--with-ids'],
      ['automations', 'export'],
      ['automations', 'withdraw', 'x'],
      ['audit'],
      ['backup', 'x'],
    ];
    for (const [words, made] of [
      ...makers.map((words) => [words, 1] as const),
      ...others.map((words) => [words, 0] as const),
    ]) {
      const program = new Program();
      await program.pipe('{"id":"ai","name":"AI"}', ...words);
      expect(program, words.join(' ')).to.include({ opened: 1, made });
    }
  });

  it('closes the session, also after a failure', async () => {
    const program = new Program();
    await program.run('keys', 'list');
    await program.run('keys', 'revoke', 'unknown');
    expect(program).to.include({ opened: 2, closed: 2 });
  });
});
