import { randomUUID } from 'node:crypto';
import { DomainError, requestKey } from '../../../application/index.js';
import { formIdOf } from '../../web/form.js';
import type { ShownForm, RequestOf } from '../request.js';
import { withQuery } from '../../web/pager.js';
import { TEXTS } from '../texts/texts.js';
import { countForm, draftIn, draftOf, fileIn, review, showForm, unchecked, wordingsOf } from './automation-form.js';
import { removedText } from './file.js';

type SellerRequest = RequestOf<'seller'>;

export const publish: ShownForm<'seller'> = {
  show: (request) => show(request, formIdOf(request.form) || randomUUID()),
  wordings: wordingsOf,
  takesFile: true,
  submit: async (request) => {
    const formId = formIdOf(request.form) || randomUUID();
    if (request.text('step') === 'preview') {
      await show(request, formId, await review(request));
      return;
    }
    await countForm(request);
    try {
      const { marketplace } = request.panel;
      const draft = { ...unchecked(draftIn(request), marketplace.currency), ...fileIn(request) };
      const { automation, removed } = await marketplace.createAutomationOnce(
        request.signedIn.caller,
        draft,
        requestKey(formId),
      );
      request.goTo(withQuery(`/automations/${automation.id}`, { notice: 'published', removed: removedText(removed) }));
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'idempotency-key-reused') throw error;
      request.report({ form: TEXTS.publish.alreadySent }, 409);
      await show(request, randomUUID());
    }
  },
};

/** The id makes a form that is sent twice publish once. */
async function show(request: SellerRequest, formId: string, isPreview = false): Promise<void> {
  const frame = { texts: TEXTS.publish, action: '/automations/new', back: '/automations', isPreview, formId };
  await showForm(request, await draftFor(request), { ...frame, backText: TEXTS.automation.back });
}

/** Before the form was sent, returns the content of an automation of the same developer, to publish it again. */
async function draftFor(request: SellerRequest) {
  const from = request.query.get('from');
  if (request.isForm || from === null) return draftIn(request);
  return draftOf((await request.panel.records.read(request.signedIn.by, from)).automation);
}
