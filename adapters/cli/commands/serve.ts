import type { Command } from '@commander-js/extra-typings';
import { exit } from '../program.js';
import type { Host, SettingHelp } from '../session.js';

const SOURCES = `
Each setting is a flag above, else a variable of the environment, else a line NAME=value of the file
.env in the working directory. Every command reads the same. Settings and their defaults:`;

export function addServe(program: Command, host: Host): void {
  const serve = program.command('serve').description('runs the service until it is stopped');
  for (const [name, { flag, meaning }] of Object.entries(host.settings))
    if (flag !== undefined) serve.option(`${flagOf(name)} <${flag}>`, meaning);
  serve
    .addHelpText('after', () => [SOURCES, ...settingLines(serve, host)].join('\n'))
    .action(async (options) => {
      const code = await host.serve(givenSettings(options, host));
      if (code !== 0) exit(code);
    });
}

function flagOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

/** Returns the values of the flags by the names of the settings. */
function givenSettings(options: Readonly<Record<string, unknown>>, { settings }: Host): Record<string, string> {
  const attributes = Object.keys(settings).map((name) => [name, camelCase(name)] as const);
  const given = attributes.flatMap(([name, attribute]) => {
    const value = options[attribute];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
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
