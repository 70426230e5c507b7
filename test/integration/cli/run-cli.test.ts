import { expect } from 'chai';
import type { Session } from '../../../adapters/cli/index.js';
import { ALL_SETTINGS } from '../../../composition/config/settings.js';
import { Captured, Program, type Outcome } from './harness.js';
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
  'apps list',
  'apps revoke',
  'apps rotate-keys',
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
  for (const part of parts) expect(stderr.join('\n')).to.contain(part);
  expect(code).to.equal(2);
}

describe('The command line', () => {
  describe('help', () => {
    for (const words of [['--help'], ['-h'], ['help']])
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
        const [group = '', member] = name.split(' ');
        const help = member === undefined ? ['help', group] : [group, 'help', member];
        for (const words of [[...name.split(' '), '--help'], help]) {
          const { code, stdout, stderr } = await program.run(...words);
          expect(code).to.equal(0);
          expect(stdout[0]).to.match(new RegExp(`^Usage: automation-marketplace ${name} `));
          expect(stdout.join('\n')).to.contain('--help');
          expect(stderr).to.deep.equal([]);
        }
        expect(program.opened).to.equal(0);
      });

    it('comes before every mistake', async () => {
      const { code, stdout } = await new Program().run('keys', 'issue', 'surplus', '--unknown', '--help');
      expect(code).to.equal(0);
      expect(stdout[0]).to.equal('Usage: automation-marketplace keys issue [options]');
    });

    it('of an unknown command is the list of all', async () => {
      expectUsageMistake(await new Program().run('help', 'nonsense'), 'Usage: automation-marketplace', 'keys issue');
      expect((await new Program().run('nonsense', '--help')).stdout.join('\n')).to.contain('keys issue');
    });

    it('of serve lists every setting with its default, and which are flags', async () => {
      const { stdout } = await new Program().run('serve', '--help');
      const lines = (start: string) => stdout.filter((line) => line.startsWith(start));
      for (const flag of ['--host <ADDRESS>', '--port <NUMBER>', '--data-dir <FOLDER>', '--public-url <URL>'])
        expect(lines(`  ${flag} `), flag).to.have.length(1);
      for (const [name, setting] of Object.entries(ALL_SETTINGS)) {
        expect(lines(`  ${name} `), name).to.have.length(1);
        const from = stdout.indexOf(lines(`  ${name} `)[0] ?? '');
        const text = stdout
          .slice(from, from + 3)
          .join(' ')
          .replace(/ +/g, ' ');
        if (setting.default !== '') expect(text).to.include(`(default: ${setting.default})`);
        if (setting.secret) expect(text).to.include(`${name}_FILE`);
      }
    });

    it('fits the terminal', async () => {
      for (const columns of [80, 100, 120]) {
        const stdout = new Captured(true, columns);
        await new Program().runWith({ stdout }, 'serve', '--help');
        const lines = stdout.lines().filter((line) => !/^(?:Each setting|\.env in)/.test(line));
        expect(Math.max(...lines.map((line) => line.length)), String(columns)).to.be.at.most(columns);
      }
    });

    it('names the program as it was typed', async () => {
      const { stderr } = await new Program().runWith({ name: 'npm run -s marketplace --' }, 'keys', 'revoke');
      expect(stderr).to.deep.equal([
        "missing required argument 'ID'",
        'See npm run -s marketplace -- keys revoke --help',
      ]);
    });
  });

  describe('wrong usage', () => {
    const mistakes: readonly (readonly [words: string, ...parts: string[]])[] = [
      ['', 'Usage: automation-marketplace [options] [command]'],
      ['nonsense', "unknown command 'nonsense'\nSee automation-marketplace --help"],
      ['keyz issue', "unknown command 'keyz'\n(Did you mean keys?)\nSee automation-marketplace --help"],
      ['keys isue', "unknown command 'isue'\n(Did you mean issue?)\nSee automation-marketplace keys --help"],
      ['invite ada', "unknown command 'invite'\nSee automation-marketplace --help"],
      ['list', "unknown command 'list'\nSee automation-marketplace --help"],
      ['category import file', '(Did you mean categories?)'],
      ['audti', '(Did you mean audit?)'],
      ['bakup file.db', '(Did you mean backup?)'],
      ['hlep', '(Did you mean help?)'],
      ['--nonsense', "unknown option '--nonsense'"],
      ['--version', "unknown option '--version'"],
      ['constructor', "unknown command 'constructor'"],
      ['keys', 'Usage: automation-marketplace keys [options] [command]'],
      ['keys nonsense', "unknown command 'nonsense'\nSee automation-marketplace keys --help"],
      ['serve now', 'too many arguments', 'See automation-marketplace serve --help'],
      ['serve --prot 1', "unknown option '--prot'\n(Did you mean --port?)"],
      ['serve --currency EUR', "unknown option '--currency'"],
      [
        'keys issue',
        "required option '--developer <NAME>' not specified\nSee automation-marketplace keys issue --help",
      ],
      ['keys issue --developer', "option '--developer <NAME>' argument missing"],
      ['keys issue --developer --name', '--developer must be 1 to 64'],
      ['keys issue --developer a --expires soon', "argument 'soon' is invalid. It must be a number and s, m, h or d"],
      ['keys issue --developer a --expires -1d', "argument '-1d' is invalid. It must be"],
      ['keys issue --developer a --expires 1.5d', "argument '1.5d' is invalid. It must be"],
      ['keys issue --developer a --expires 90', "argument '90' is invalid. It must be"],
      ['keys issue --developer a --expires 90D', "argument '90D' is invalid. It must be"],
      [
        'keys list --jsn',
        "unknown option '--jsn'\n(Did you mean --json?)\nSee automation-marketplace keys list --help",
      ],
      ['keys list -x', "unknown option '-x'"],
      ['keys list --constructor', "unknown option '--constructor'"],
      ['keys list --json=yes', "unknown option '--json=yes'"],
      ['keys list acme', 'too many arguments'],
      ['keys rotate', "missing required argument 'ID'"],
      ['keys rotate a b', 'too many arguments'],
      ['keys rotate a --overlap long', "'--overlap <DURATION>' argument 'long' is invalid"],
      ['keys revoke', "missing required argument 'ID'"],
      ['categories import', "missing required argument 'FILE'"],
      ['automations import file', '--developer NAME is missing, or --with-ids for a file from "automations export"'],
      ['automations import file --developer acme --with-ids', '--developer cannot be combined with --with-ids'],
      ['automations import file --with-ids=yes', "unknown option '--with-ids=yes'"],
      ['automations import --developer acme', "missing required argument 'FILE'"],
      ['automations export a b', 'too many arguments'],
      ['automations export --developer acme', "unknown option '--developer'"],
      ['categories export a b', 'too many arguments'],
      ['automations withdraw', "missing required argument 'ID'"],
      ['developers', 'Usage: automation-marketplace developers', 'developers suspend <NAME>'],
      ['developers remove ada', "unknown command 'remove'"],
      ['developers invite', "missing required argument 'NAME'", 'See automation-marketplace developers invite --help'],
      ['developers invite ada bob', 'too many arguments'],
      ['developers invite ada --json', "unknown option '--json'"],
      ['developers list ada', 'too many arguments'],
      ['developers suspend', "missing required argument 'NAME'"],
      ['developers suspend ada bob', 'too many arguments'],
      ['developers restore', "missing required argument 'NAME'"],
      ['audit ada', 'too many arguments', 'See automation-marketplace audit --help'],
      ['audit --developer', "option '--developer <NAME>' argument missing"],
      ['audit --count 5', "unknown option '--count'"],
      ['audit --limit 0', 'It must be an integer from 1 to 1,000,000.', 'See automation-marketplace audit --help'],
      ['audit --limit 1e3', 'It must be an integer'],
      ['audit --limit 1000001', 'It must be an integer'],
      ['audit --since yesterday', 'It must be a time such as', 'or a duration such as 24h'],
      ['audit --since 2026-11-25T08:30', 'It must be a time such as 2026-11-25T08:30Z'],
      ['audit --since 2026-13-01', 'It must be a time'],
      ['audit --since 2026-02-30', 'It must be a time'],
      ['audit --since 2027-02-29T08:30+01:00', 'It must be a time'],
      ['automations list x', 'too many arguments'],
      ['automations list --limit -1', 'It must be an integer'],
      ['automations list --limit 2.5', 'It must be an integer'],
      ['automations list --search', "option '--search <TEXT>' argument missing"],
      ['automations show', "missing required argument 'ID'", 'See automation-marketplace automations show --help'],
    ];
    for (const [words, ...parts] of mistakes)
      it(`"${words}" ends with 2 and says what helps`, async () => {
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
        `${JSON.stringify(words.join(' '))}, a value that breaks a rule, ` + 'ends with 2 and says what helps',
        async () => {
          const program = new Program();
          expectUsageMistake(
            await program.run(...words),
            mistake,
            `\nSee automation-marketplace ${words.slice(0, words[0] === 'audit' ? 1 : 2).join(' ')} --help`,
          );
          expect(await allKeys(program.apiKeys)).to.deep.equal([]);
          expect(await allDevelopers(program.developers)).to.deep.equal([]);
        },
      );

    it('lets no control character through', async () => {
      const { stderr } = await new Program().run('\u001b[31mred\nline');
      expect(stderr.join('\n')).to.contain('\\u001b[31mred').and.not.contain('\u001b');
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
    const given: unknown[] = [];
    const serve = async (flags: object) => {
      given.push(flags);
      return 7;
    };
    expect(await program.runWith({ serve }, 'serve')).to.deep.equal({ code: 7, stdout: [], stderr: [] });
    const flags = ['--port', '80', '--host', '::1', '--data-dir', './x', '--public-url', 'https://x.example'];
    await program.runWith({ serve }, 'serve', ...flags);
    expect(given).to.deep.equal([{}, { PORT: '80', HOST: '::1', DATA_DIR: './x', PUBLIC_URL: 'https://x.example' }]);
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
