import { seeOther, show } from '../page.js';
import { liveKey, viewOf } from '../pages/keys.js';
import { idOf, notFound, type Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { addressOf, DEVELOPERS_PATH, findDeveloper } from './accounts.js';
import { operatorForm, operatorPage, type SignedInOperator } from './guards.js';

/** The page that asks before a key of a developer is revoked. Their keys are listed on the page of the developer. */
export function developerKeyPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    [`${DEVELOPERS_PATH}/:id/keys/:key/revoke`]: {
      GET: operatorPage(panel, (ctx, signedIn) => showRevocation(ctx, panel, signedIn)),
      POST: operatorForm(panel, (ctx, signedIn) => revoke(ctx, panel, signedIn)),
    },
  };
}

async function showRevocation(ctx: Context, panel: Panel, signedIn: SignedInOperator): Promise<void> {
  const { developer, key } = await keyIn(ctx, panel, signedIn);
  const page = { title: TEXTS.revoke.title, current: 'developers', signedIn } as const;
  const [lead, back] = [TEXTS.operator.revoke.lead(developer.id), addressOf(developer, panel)];
  show(ctx, panel, 'revoke', { ...page, lead, back, key: viewOf(key, panel.now()) });
}

async function revoke(ctx: Context, panel: Panel, signedIn: SignedInOperator): Promise<void> {
  const { developer, key } = await keyIn(ctx, panel, signedIn);
  await panel.keys.revoke(signedIn.by, key.id);
  seeOther(ctx, `${addressOf(developer, panel)}?notice=revoked`);
}

/** @throws DomainError `not-found` for a key of another developer, or `conflict` if the key has ended */
async function keyIn(ctx: Context, panel: Panel, { by }: SignedInOperator) {
  const developer = (await findDeveloper(panel, by, idOf(ctx))) ?? notFound();
  const key = await liveKey(panel, by, idOf(ctx, 'key'));
  if (key.developerId !== developer.id) notFound();
  return { developer, key };
}
