import { KEY_NAME } from '../../../domain/api-key.js';
import { textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, type Messages } from '../messages.js';
import { seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { NAME_WORDINGS, ownLiveKey, viewOf } from './keys.js';

const { title } = TEXTS.rename;

/** The page that gives a key another name. */
export function renamingPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/keys/:id/rename': {
      GET: authenticatedPage(panel, (ctx, signedIn) => showRenaming(ctx, panel, signedIn)),
      POST: authenticatedForm(
        panel,
        (ctx, signedIn, form) => rename(ctx, panel, signedIn, form),
        (ctx, signedIn, form, messages) => showRenaming(ctx, panel, signedIn, { name: textOf(form, 'name'), messages }),
      ),
    },
  };
}

async function rename(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, form: Form): Promise<void> {
  const name = textOf(form, 'name');
  try {
    await panel.keys.rename(signedIn.person, idOf(ctx), name);
    seeOther(ctx, `${panel.at}/keys?notice=renamed`);
  } catch (error) {
    await showRenaming(ctx, panel, signedIn, { name, messages: messagesIn(error, NAME_WORDINGS) });
  }
}

async function showRenaming(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  filled: { readonly name?: string; readonly messages?: Messages } = {},
): Promise<void> {
  const key = viewOf(await ownLiveKey(ctx, panel, signedIn), panel.now());
  const form = { name: key.name, most: KEY_NAME.maxLength, ...filled };
  show(ctx, panel, 'rename', { title, current: 'keys', signedIn, key, ...form });
}
