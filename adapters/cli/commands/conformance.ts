import { command, UsageError } from '../command.js';
import { DONE, FAILED, say, type Host } from '../session.js';
import { Progress } from '../terminal/progress.js';

/** Visible ASCII: anything else cannot be sent in a header. */
const KEY = /^[\x21-\x7e]+$/;

export const conformance = command(
  {
    name: 'conformance',
    summary: 'checks any server against the API contract, from outside',
    details:
      'Creates nothing without a key to write. Run it against a test system: what it creates stays there.\n' +
      'Other users of a machine can see arguments, so set MARKETPLACE_KEY and MARKETPLACE_WRITE_KEY, or\n' +
      'MARKETPLACE_KEY_FILE and MARKETPLACE_WRITE_KEY_FILE with the names of files, in place of the options.',
    arguments: [],
    options: {
      'base-url': { value: 'URL', required: true, summary: 'a base of its API, such as https://market.example/api' },
      key: { value: 'KEY', summary: 'a key with the scope automations:read; MARKETPLACE_KEY by default' },
      'write-key': {
        value: 'KEY',
        summary:
          'a key with the scope automations:write; creates about 20 automations; MARKETPLACE_WRITE_KEY by default',
      },
      json: { summary: 'prints the report as JSON' },
      junit: { summary: 'prints the report as JUnit XML' },
    },
  },
  async ({ options }, host) => {
    const { 'base-url': baseUrl, json, junit } = options;
    const { stdout, stderr } = host;
    checkOptions(baseUrl, { key: options.key, 'write-key': options['write-key'] });
    const { key, writeKey, sources } = await keysOf(options, host);
    if (json && junit) throw new UsageError('--json cannot be combined with --junit');
    const { Api } = await import('../conformance/api.js');
    const { failureOf } = await import('../conformance/preflight.js');
    const { runChecks } = await import('../conformance/run.js');
    const { countsOf, jsonReport, junitReport, textReport } = await import('../conformance/report.js');
    const progress = new Progress(stderr, undefined);
    const onWait = (seconds: number) => progress.show(`the server's rate limit is reached; waiting ${seconds} s`);
    const api = new Api({ baseUrl, key, writeKey, onWait });
    const failure = await failureOf(api, sources);
    if (failure !== undefined) throw new Error(failure);
    const results = await runChecks(api, ({ done, of, title }) => progress.show(`${done + 1}/${of} ${title}`));
    progress.clear();
    const report = json ? jsonReport(baseUrl, results) : junit ? junitReport(results) : textReport(results).join('\n');
    for (const line of report.split('\n')) say(stdout, line);
    return countsOf(results).broken === 0 ? DONE : FAILED;
  },
);

interface Given {
  readonly key: string | undefined;
  readonly 'write-key': string | undefined;
}

/** Returns the keys of the options, else those of the environment, and from where they are, for messages. */
async function keysOf({ key, 'write-key': writeKey }: Given, host: Host) {
  const inEnvironment = await host.keys();
  const reading = key ?? inEnvironment.key;
  if (reading === '') throw new UsageError('a key is missing; set MARKETPLACE_KEY, or give --key KEY');
  const sources = {
    key: key === undefined ? 'MARKETPLACE_KEY' : '--key',
    writeKey: writeKey === undefined ? 'MARKETPLACE_WRITE_KEY' : '--write-key',
  };
  return { key: reading, writeKey: writeKey ?? (inEnvironment.writeKey || undefined), sources };
}

function checkOptions(baseUrl: string, keys: Readonly<Record<string, string | undefined>>): void {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : ''))
    throw new UsageError('--base-url must be an http or https URL');
  for (const [name, key] of Object.entries(keys))
    if (key !== undefined && !KEY.test(key)) throw new UsageError(`--${name} must be visible ASCII characters`);
}
