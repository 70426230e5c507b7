import { seeOther } from '../../edge/send.js';
import { countText } from '../../web/views/locales.js';
import type { RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { shownEntries } from './history.js';

const LATEST = 5;
const T = TEXTS.overview;
const NOTICES = { welcome: TEXTS.welcome.done };

/**
 * Shows the first page of the panel: what to do first; later numbers, and what happened last. Buyers go to the
 * catalogue, or to their keys where there is none.
 */
export async function showOverview(request: RequestOf<'member'>): Promise<void> {
  const { ctx, panel, signedIn } = request;
  if (signedIn.account.role !== 'buyer') await showNumbers(request);
  else if (panel.catalogue) seeOther(ctx, `${panel.base}/catalogue`);
  else request.goTo('/keys');
}

async function showNumbers(request: RequestOf<'member'>): Promise<void> {
  const { at, base, docs, keys, records, audit } = request.panel;
  const { by } = request.signedIn;
  const [active, ended, onSale, withdrawn, history] = await Promise.all([
    keys.listActive(by),
    keys.listEnded(by),
    records.find(by, { limit: 1 }),
    records.find(by, { limit: 1, status: 'withdrawn' }),
    audit.list(by, { limit: LATEST }),
  ]);
  const all = [...active, ...ended.items];
  const hasCalled = all.some(({ lastUsedAt }) => lastUsedAt !== undefined);
  const steps = [
    { ...T.steps.key, isDone: all.length > 0, href: `${at}/keys` },
    { ...T.steps.call, isDone: hasCalled, href: docs ? `${base}/docs` : undefined },
    { ...T.steps.publish, isDone: onSale.total + withdrawn.total > 0, href: `${at}/automations/new` },
  ];
  const numbers = [
    { text: T.onSale, count: countText(onSale.total) },
    { text: T.withdrawn, count: countText(withdrawn.total) },
    { text: T.activeKeys, count: countText(active.length) },
  ];
  const entries = await shownEntries(request, history.items);
  const isNew = steps.some(({ isDone }) => !isDone);
  request.show('overview', { title: T.title, notice: request.notice(NOTICES), steps, isNew, numbers, entries });
}
