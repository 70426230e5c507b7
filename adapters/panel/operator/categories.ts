import { randomUUID } from 'node:crypto';
import { CATEGORY_NAME } from '../../../domain/category.js';
import { SLUG_MAX_LENGTH } from '../../../domain/slug.js';
import { countText } from '../../http/views/locales.js';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, queryOf, seeOther, show } from '../page.js';
import { numberedPage } from '../pager.js';
import { idOf, notFound, type Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { operatorForm, operatorPage, type SignedInOperator } from './guards.js';

const PAGE_SIZE = 50;
const LIST = '/operator/categories';
const T = TEXTS.operator.categories;
const NOTICES = { added: T.noticeAdded, renamed: T.noticeRenamed };
const RULES = { name: CATEGORY_NAME.maxLength, id: SLUG_MAX_LENGTH };

const WORDINGS: Wordings = {
  name: { label: T.name, instead: { 'too-short': T.nameRequired, taken: T.nameTaken } },
  id: { label: T.id, instead: { taken: T.idTaken } },
};

/** The categories, and the forms that add and rename one. */
export function categoriesPages(panel: Panel): Readonly<Record<string, Resource>> {
  const submitted = new SubmittedForms();
  return {
    [LIST]: {
      GET: operatorPage(panel, (ctx, signedIn) => showCategories(ctx, panel, signedIn)),
      POST: operatorForm(
        panel,
        (ctx, signedIn, form) => add(ctx, panel, signedIn, form, submitted),
        (ctx, signedIn, form, messages) => showCategories(ctx, panel, signedIn, { form: typedIn(form), messages }),
      ),
    },
    [`${LIST}/:id/rename`]: {
      GET: operatorPage(panel, (ctx, signedIn) => showRenaming(ctx, panel, signedIn)),
      POST: operatorForm(
        panel,
        (ctx, signedIn, form) => rename(ctx, panel, signedIn, form),
        (ctx, signedIn, form, messages) => showRenaming(ctx, panel, signedIn, { name: textOf(form, 'name'), messages }),
      ),
    },
  };
}

async function add(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  sent: Form,
  submitted: SubmittedForms,
): Promise<void> {
  const form = typedIn(sent);
  try {
    await submitted.once(formIdOf(sent), () => panel.categories.add(signedIn.by, form));
    seeOther(ctx, `${panel.at}${LIST}?notice=added`);
  } catch (error) {
    await showCategories(ctx, panel, signedIn, { form, messages: messagesIn(error, WORDINGS) });
  }
}

function typedIn(form: Form): Filled['form'] {
  return { name: textOf(form, 'name'), id: textOf(form, 'id').trim() };
}

interface Filled {
  readonly form: { readonly name: string; readonly id: string };
  readonly messages?: Messages;
}

async function showCategories(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  filled: Filled = { form: { name: '', id: '' } },
): Promise<void> {
  const all = await panel.marketplace.listCategories(signedIn.caller);
  const list = `${panel.at}${LIST}`;
  const { items, ...pager } = numberedPage(all, queryOf(ctx), PAGE_SIZE, (page) => `${list}?page=${page}`);
  const categories = items.map((category) => ({
    ...category,
    count: countText(category.automationCount),
    href: `${panel.at}/operator/automations?category=${category.id}`,
    renaming: `${list}/${category.id}/rename`,
  }));
  const data = { categories, list, ...pager, rules: RULES, formId: randomUUID(), notice: noticeIn(ctx, NOTICES) };
  show(ctx, panel, 'operator-categories', { title: T.title, current: 'categories', signedIn, ...data, ...filled });
}

async function rename(ctx: Context, panel: Panel, signedIn: SignedInOperator, form: Form): Promise<void> {
  const name = textOf(form, 'name');
  try {
    await panel.categories.rename(signedIn.by, idOf(ctx), name);
    seeOther(ctx, `${panel.at}${LIST}?notice=renamed`);
  } catch (error) {
    await showRenaming(ctx, panel, signedIn, { name, messages: messagesIn(error, WORDINGS) });
  }
}

async function showRenaming(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  filled: { readonly name?: string; readonly messages?: Messages } = {},
): Promise<void> {
  const category = (await panel.categories.list()).find(({ id }) => id === idOf(ctx)) ?? notFound();
  const form = { category, name: category.name, rules: RULES, list: `${panel.at}${LIST}`, ...filled };
  show(ctx, panel, 'operator-category', { title: T.renameTitle, current: 'categories', signedIn, ...form });
}
