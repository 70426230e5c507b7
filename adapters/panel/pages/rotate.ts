import { randomUUID } from 'node:crypto';
import { nameOf, textOf, type Form } from '../form.js';
import { formOfMembers, forMembers } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { SentForms } from '../sent-forms.js';
import type { Context, Member, Panel } from '../visit.js';
import { ownLiveKey, SENT_BEFORE, viewOf } from './keys.js';
import { showNewKey } from './new-key.js';

const HOUR = 60 * 60 * 1000;

const OVERLAPS = [
  { value: '0', text: 'Not at all' },
  { value: '1', text: '1 hour' },
  { value: '24', text: '24 hours' },
  { value: '168', text: '7 days' },
];
const USUAL_OVERLAP = '24';

const WORDINGS: Wordings = { overlap: { label: 'The overlap' } };

export function rotationPages(panel: Panel): Readonly<Record<string, Resource>> {
  const sentForms = new SentForms();
  return {
    '/keys/:id/rotate': {
      GET: forMembers(panel, (ctx, member) => showRotation(ctx, panel, member, USUAL_OVERLAP)),
      POST: formOfMembers(panel, (ctx, member, form) => rotate(ctx, panel, member, form, sentForms)),
    },
  };
}

async function rotate(ctx: Context, panel: Panel, member: Member, form: Form, sentForms: SentForms): Promise<void> {
  const overlap = textOf(form, 'overlap');
  const hours = OVERLAPS.some(({ value }) => value === overlap) ? Number(overlap) : Number.NaN;
  try {
    const issued = await sentForms.once(nameOf(form), () => panel.keys.rotate(idOf(ctx), hours * HOUR, member.caller));
    if (issued === undefined) await showRotation(ctx, panel, member, overlap, { form: SENT_BEFORE }, 409);
    else showNewKey(ctx, panel, member, issued);
  } catch (error) {
    await showRotation(ctx, panel, member, overlap, messagesIn(error, WORDINGS));
  }
}

async function showRotation(ctx: Context, panel: Panel, member: Member, overlap: string, messages: Messages = {}, status?: number): Promise<void> {
  const key = viewOf(await ownLiveKey(ctx, panel, member), panel.now());
  const page = { title: 'Rotate this key', section: 'keys', member, key, overlaps: OVERLAPS, overlap, messages, once: randomUUID() } as const;
  show(ctx, panel, 'rotate', page, status);
}
