import { actingAlone } from '../acting.js';
import { countText } from '../../http/views/locales.js';
import { authenticatedPage } from '../guards.js';
import { shownEntries } from '../history-entries.js';
import { OWN_HISTORY } from '../history-view.js';
import { noticeIn, seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

const LATEST = 5;
const T = TEXTS.overview;
const NOTICES = { welcome: TEXTS.welcome.done };

/**
 * The first page of the panel: what to do first; later numbers, and what happened last. Buyers go to the catalogue, or
 * to their keys where there is none.
 */
export function overviewPages(panel: Panel): Readonly<Record<string, Resource>> {
  const firstForBuyers = panel.catalogue ? `${panel.base}/catalogue` : `${panel.at}/keys`;
  return {
    '': {
      GET: authenticatedPage(panel, async (ctx, signedIn) => {
        if (signedIn.account.role === 'buyer') seeOther(ctx, firstForBuyers);
        else await showOverview(ctx, panel, signedIn);
      }),
    },
  };
}

async function showOverview(ctx: Context, panel: Panel, signedIn: SignedInDeveloper): Promise<void> {
  const { at, audit, records } = panel;
  const { person } = signedIn;
  const [active, ended, onSale, withdrawn, history] = await Promise.all([
    panel.keys.listActive(person),
    panel.keys.listEnded(person),
    records.find(person, { limit: 1 }),
    records.find(person, { limit: 1, status: 'withdrawn' }),
    audit.list(person, { limit: LATEST }),
  ]);
  const keys = [...active, ...ended.items];
  const steps = [
    { ...T.steps.key, isDone: keys.length > 0, href: `${at}/keys` },
    { ...T.steps.call, isDone: keys.some(({ lastUsedAt }) => lastUsedAt !== undefined), href: docsOf(panel) },
    { ...T.steps.publish, isDone: onSale.total + withdrawn.total > 0, href: `${at}/automations/new` },
  ];
  const numbers = [
    { text: T.onSale, count: countText(onSale.total) },
    { text: T.withdrawn, count: countText(withdrawn.total) },
    { text: T.activeKeys, count: countText(active.length) },
  ];
  const entries = await shownEntries(history.items, panel, OWN_HISTORY, actingAlone(signedIn));
  const isNew = steps.some(({ isDone }) => !isDone);
  const page = { title: T.title, current: 'overview', signedIn, notice: noticeIn(ctx, NOTICES) } as const;
  show(ctx, panel, 'overview', { ...page, steps, isNew, numbers, entries });
}

function docsOf({ base, docs }: Panel): string | undefined {
  return docs ? `${base}/docs` : undefined;
}
