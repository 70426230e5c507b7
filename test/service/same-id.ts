import { DomainError, newAutomation, newPage, type Automation, type AutomationId, type AutomationRepository, type DeveloperId } from '../../application/index.js';
import { Findings, type Report } from '../support/soak-report.js';
import { TEST_CATEGORIES } from '../support/service.js';

const RACERS = 100;

/** D8: an id is added by many at once, through every handle on the store that there is; one gets it, the others a conflict. */
export async function races(handles: readonly AutomationRepository[], count: number): Promise<Report> {
  const findings = new Findings();
  for (let n = 0; n < count; n += 1) {
    const offers = Array.from({ length: RACERS }, () => ({ automation: automationOf(n) }));
    const outcomes = await Promise.all(offers.map((offer, racer) => outcomeOf(handles[racer % handles.length], offer)));
    for (const outcome of outcomes) findings.count(outcome);
  }
  const { stored, conflict } = findings.figures;
  findings.check(stored === count, `${stored ?? 0} of ${count} were stored`);
  findings.check(conflict === count * (RACERS - 1), `${conflict ?? 0} were conflicts`);
  const page = await handles[0]?.list({ page: newPage({}) });
  findings.check(page?.total === count, `the total is ${page?.total ?? 0}`);
  return findings;
}

async function outcomeOf(handle: AutomationRepository | undefined, offer: { automation: Automation }): Promise<string> {
  try {
    const [answer] = (await handle?.add([offer])) ?? [];
    return answer?.outcome ?? 'no answer';
  } catch (error) {
    return error instanceof DomainError ? error.kind : String(error);
  }
}

function automationOf(n: number): Automation {
  const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as AutomationId;
  const draft = { title: 'One', description: 'Of many', price: 1, categoryId: 'communication' };
  const market = { currency: 'USD' as Parameters<typeof newAutomation>[1]['currency'], category: TEST_CATEGORIES[0] };
  return newAutomation(draft, market, { id, developerId: 'ada' as DeveloperId, createdAt: new Date(0) });
}
