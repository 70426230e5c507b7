import type { Command } from '@commander-js/extra-typings';
import { exit, FAILED, UsageError } from '../program.js';
import { say, type Host } from '../session.js';
import { Progress } from '../terminal/progress.js';

/** Visible ASCII: anything else cannot be sent in a header. */
const KEY = /^[\x21-\x7e]+$/;

const DETAILS = `
Creates nothing without a key to write. Run it against a test system: what it creates stays there.
Other users of a machine can see arguments, so set MARKETPLACE_KEY and MARKETPLACE_WRITE_KEY, or
MARKETPLACE_KEY_FILE and MARKETPLACE_WRITE_KEY_FILE with the names of files, in place of the options.`;

export function addConformance(program: Command, host: Host): void {
  program
    .command('conformance')
    .description('checks any server against the API contract, from outside')
    .requiredOption('--base-url <URL>', 'a base of its API, such as https://market.example/api')
    .option('--key <KEY>', 'a key with the scope automations:read; MARKETPLACE_KEY by default')
    .option(
      '--write-key <KEY>',
      'a key with the scope automations:write; creates about 65 automations; MARKETPLACE_WRITE_KEY by default',
    )
    .option('--json', 'prints the report as JSON')
    .option('--junit', 'prints the report as JUnit XML')
    .addHelpText('after', DETAILS)
    .action((options) => run(options, host));
}

interface Options {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  readonly writeKey?: string | undefined;
  readonly json?: true | undefined;
  readonly junit?: true | undefined;
}

async function run(options: Options, host: Host): Promise<void> {
  const { baseUrl, json, junit } = options;
  checkOptions(options);
  const { key, writeKey, names } = await keysOf(options, host);
  if (json && junit) throw new UsageError('--json cannot be combined with --junit');
  const { checkServer } = await import('../../conformance/index.js');
  const { countsOf, jsonReport, junitReport, textReport } = await import('../../conformance/report.js');
  const progress = new Progress(host.stderr, undefined);
  const results = await checkServer({
    ...{ baseUrl, key, writeKey, names },
    onWait: (seconds) => progress.show(`the server's rate limit is reached; waiting ${seconds} s`),
    onProgress: ({ done, of, title }) => progress.show(`${done + 1}/${of} ${title}`),
  });
  progress.clear();
  const report = json ? jsonReport(baseUrl, results) : junit ? junitReport(results) : textReport(results).join('\n');
  for (const line of report.split('\n')) say(host.stdout, line);
  if (countsOf(results).broken > 0) exit(FAILED);
}

/** Returns the keys of the options, else those of the environment, and their names for messages. */
async function keysOf({ key, writeKey }: Options, host: Host) {
  const inEnvironment = await host.keys();
  const reading = key ?? inEnvironment.key;
  if (reading === '') throw new UsageError('a key is missing; set MARKETPLACE_KEY, or give --key KEY');
  const names = {
    baseUrl: '--base-url',
    key: key === undefined ? 'MARKETPLACE_KEY' : '--key',
    writeKey: writeKey === undefined ? 'MARKETPLACE_WRITE_KEY' : '--write-key',
  };
  return { key: reading, writeKey: writeKey ?? (inEnvironment.writeKey || undefined), names };
}

/** Names no value: a key is a secret. */
function checkOptions({ baseUrl, key, writeKey }: Options): void {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : ''))
    throw new UsageError('--base-url must be an http or https URL');
  for (const [name, value] of Object.entries({ '--key': key, '--write-key': writeKey }))
    if (value !== undefined && !KEY.test(value)) throw new UsageError(`${name} must be visible ASCII characters`);
}
