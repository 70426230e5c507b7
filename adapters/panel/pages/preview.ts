import { HTML_TYPE, send } from '../../http/send.js';
import { draftIn, fieldsData, previewOf } from '../automation-form.js';
import { sellerForm } from '../guards.js';
import type { Resource } from '../routes.js';
import type { Panel } from '../visit.js';

/** The preview of a form that is being filled in, without a page around it. It changes nothing. */
export function previewPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations/preview': {
      POST: sellerForm(panel, async (ctx, signedIn, form) => {
        const preview = previewOf(draftIn(form), await fieldsData(ctx, panel, signedIn));
        send(ctx, HTML_TYPE, panel.render('offer', { offer: preview }));
      }),
    },
  };
}
