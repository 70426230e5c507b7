import { command } from './command.js';
import { DONE, FAILED, say, type Output } from './host.js';
import { UsageError } from './signature.js';

const CLEAR_LINE = '\r\u001b[2K';
const USUAL_COLUMNS = 80;

/** Knows nothing of our store or our program: any server that speaks the interface can be checked. */
export const conformance = command(
  {
    name: 'conformance',
    summary: 'checks any server against the published interface, from outside; creates nothing without --write-key',
    arguments: [],
    options: {
      'base-url': { value: 'URL', required: true, summary: 'a base of its API, such as https://market.example/api' },
      key: { value: 'KEY', required: true, summary: 'a key that may read' },
      'write-key': { value: 'KEY', summary: 'a key that may create; some twenty automations then stay behind' },
      json: { summary: 'reports as JSON' },
      junit: { summary: 'reports as JUnit XML' },
    },
  },
  async ({ options: { 'base-url': baseUrl, key, 'write-key': writeKey, json, junit } }, { stdout, stderr }) => {
    if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) throw new UsageError('--base-url must be an http or https URL');
    if (json && junit) throw new UsageError('--json and --junit are two reports; choose one');
    const { Api } = await import('./conformance/api.js');
    const { runChecks } = await import('./conformance/run.js');
    const { countsOf, jsonReport, junitReport, textReport } = await import('./conformance/report.js');
    const progress = new Line(stderr);
    const api = new Api({ baseUrl, key, writeKey, onWait: (seconds) => progress.show(`a quota is used up; waiting ${seconds} s`) });
    const results = await runChecks(api, writeKey !== undefined, ({ done, of, title }) => progress.show(`${done + 1}/${of} ${title}`));
    progress.clear();
    const report = json ? jsonReport(baseUrl, results).split('\n') : junit ? junitReport(results).split('\n') : textReport(results);
    for (const line of report) say(stdout, line);
    return countsOf(results).broken === 0 ? DONE : FAILED;
  },
);

/** What is going on, on one line of a terminal; elsewhere nothing. */
class Line {
  constructor(private readonly output: Output) {}

  show(text: string): void {
    if (this.output.isTTY) this.output.write(CLEAR_LINE + text.slice(0, (this.output.columns ?? USUAL_COLUMNS) - 1));
  }

  clear(): void {
    if (this.output.isTTY) this.output.write(CLEAR_LINE);
  }
}
