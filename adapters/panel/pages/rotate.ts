import { randomUUID } from 'node:crypto';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import type { Messages, Wordings } from '../messages.js';
import { show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { HOUR_MS } from '../../http/views/times.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { ownLiveKey, refusalOf, viewOf } from './keys.js';
import { showNewKey } from './new-key.js';

const OVERLAPS_HOURS = Object.entries(TEXTS.rotate.overlaps).map(([value, text]) => ({ value, text }));
const DEFAULT_OVERLAP = '24';

const WORDINGS: Wordings = { overlap: { label: TEXTS.rotate.overlapLabel } };

export function rotationPages(panel: Panel): Readonly<Record<string, Resource>> {
  const submitted = new SubmittedForms();
  return {
    '/keys/:id/rotate': {
      GET: authenticatedPage(panel, (ctx, signedIn) => showRotation(ctx, panel, signedIn, DEFAULT_OVERLAP)),
      POST: authenticatedForm(panel, (ctx, signedIn, form) => rotate(ctx, panel, signedIn, form, submitted)),
    },
  };
}

async function rotate(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  form: Form,
  submitted: SubmittedForms,
): Promise<void> {
  const overlap = textOf(form, 'overlap');
  const hours = OVERLAPS_HOURS.some(({ value }) => value === overlap) ? Number(overlap) : Number.NaN;
  try {
    const rotateKey = () => panel.keys.rotate(signedIn.person, idOf(ctx), hours * HOUR_MS);
    const issued = await submitted.once(formIdOf(form), rotateKey);
    if (issued === undefined) await showRotation(ctx, panel, signedIn, overlap, { form: TEXTS.keys.alreadySent }, 409);
    else showNewKey(ctx, panel, signedIn, issued);
  } catch (error) {
    const { messages, status } = refusalOf(error, WORDINGS);
    await showRotation(ctx, panel, signedIn, overlap, messages, status);
  }
}

async function showRotation(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  overlap: string,
  messages: Messages = {},
  status?: number,
): Promise<void> {
  const key = viewOf(await ownLiveKey(ctx, panel, signedIn), panel.now());
  const form = { overlaps: OVERLAPS_HOURS, overlap, messages, formId: randomUUID() };
  show(ctx, panel, 'rotate', { title: TEXTS.rotate.title, current: 'keys', signedIn, key, ...form }, status);
}
