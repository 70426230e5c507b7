import { startPanel } from '../../support/panel.js';
import { requestText } from '../../support/raw.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { WORST_BODIES } from '../../integration/http/hostile/worst-bodies.js';
import { costMs } from './headers.js';

const MAX_MS = 50;

/** I11: the worst bodies of the greatest length cost little. */
export async function worstBodies(): Promise<Report> {
  const findings = new Findings();
  const service = await startPanel();
  const headers = { Authorization: `Bearer ${await service.key()}`, Connection: 'close' };
  for (const [name, body] of Object.entries(WORST_BODIES))
    findings.atMost(
      `${name}, ms`,
      await costMs(service, Buffer.from(requestText('POST', '/api/automations', headers, body))),
      MAX_MS,
    );
  await service.close();
  return findings;
}
