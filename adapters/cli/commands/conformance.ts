import { command, UsageError } from '../command.js';
import { DONE, FAILED, say } from '../session.js';
import { Progress } from '../terminal/progress.js';

/** Visible ASCII: anything else cannot be sent in a header. */
const KEY = /^[\x21-\x7e]+$/;

export const conformance = command(
  {
    name: 'conformance',
    summary: 'checks any server against the API contract, from outside',
    details: 'Creates nothing without --write-key. Run it against a test system: what it creates stays there.',
    arguments: [],
    options: {
      'base-url': { value: 'URL', required: true, summary: 'a base of its API, such as https://market.example/api' },
      key: { value: 'KEY', required: true, summary: 'a key with the scope automations:read' },
      'write-key': { value: 'KEY', summary: 'a key with the scope automations:write; creates about 20 automations' },
      json: { summary: 'prints the report as JSON' },
      junit: { summary: 'prints the report as JUnit XML' },
    },
  },
  async ({ options: { 'base-url': baseUrl, key, 'write-key': writeKey, json, junit } }, { stdout, stderr }) => {
    checkOptions(baseUrl, { key, 'write-key': writeKey });
    if (json && junit) throw new UsageError('--json cannot be combined with --junit');
    const { Api } = await import('../conformance/api.js');
    const { failureOf } = await import('../conformance/preflight.js');
    const { runChecks } = await import('../conformance/run.js');
    const { countsOf, jsonReport, junitReport, textReport } = await import('../conformance/report.js');
    const progress = new Progress(stderr, undefined);
    const onWait = (seconds: number) => progress.show(`the server's rate limit is reached; waiting ${seconds} s`);
    const api = new Api({ baseUrl, key, writeKey, onWait });
    const failure = await failureOf(api);
    if (failure !== undefined) throw new Error(failure);
    const results = await runChecks(api, ({ done, of, title }) =>
      progress.show(`${done + 1}/${of} ${title}`),
    );
    progress.clear();
    const report = json ? jsonReport(baseUrl, results) : junit ? junitReport(results) : textReport(results).join('\n');
    for (const line of report.split('\n')) say(stdout, line);
    return countsOf(results).broken === 0 ? DONE : FAILED;
  },
);

function checkOptions(baseUrl: string, keys: Readonly<Record<string, string | undefined>>): void {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : ''))
    throw new UsageError('--base-url must be an http or https URL');
  for (const [name, key] of Object.entries(keys))
    if (key !== undefined && !KEY.test(key)) throw new UsageError(`--${name} must be visible ASCII characters`);
}
