import { Option, type Command } from '@commander-js/extra-typings';
import { exit } from '../program.js';
import type { Host, SettingHelp } from '../session.js';

const SOURCES = `
Each setting is a flag above, else a variable of the environment, else a line NAME=value of the file
.env in the working directory. Every command reads the same. Settings and their defaults:`;

export function addServe(program: Command, host: Host): void {
  const serve = program.command('serve').description('runs the service until it is stopped');
  const flags = Object.entries(host.settings).flatMap(([name, { flag, meaning }]) =>
    flag === undefined ? [] : [{ name, option: new Option(`${flagOf(name)} <${flag}>`, meaning) }],
  );
  for (const { option } of flags) serve.addOption(option);
  serve
    .addHelpText('after', () => [SOURCES, ...settingLines(serve, host)].join('\n'))
    .action(async (options: Readonly<Record<string, string | undefined>>) => {
      const values = flags.map(({ name, option }) => [name, options[option.attributeName()]] as const);
      const code = await host.serve(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
      if (code !== 0) exit(code);
    });
}

function flagOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

function settingLines(serve: Command, { settings, stdout }: Host): readonly string[] {
  const help = serve.createHelp();
  help.prepareContext({ helpWidth: stdout.columns ?? 100 });
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return Object.entries(settings).map(([name, setting]) => help.formatItem(name, width, textOf(name, setting), help));
}

function textOf(name: string, { default: byDefault, meaning, secret }: SettingHelp): string {
  const file = secret ? `; or ${name}_FILE, a file with it` : '';
  return `${meaning}${file}${byDefault === '' ? '' : ` (default: ${byDefault})`}`;
}
