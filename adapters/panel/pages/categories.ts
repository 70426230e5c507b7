import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../application/index.js';
import { CATEGORY_NAME, type Category } from '../../../domain/category.js';
import { SLUG_MAX_LENGTH } from '../../../domain/slug.js';
import { noSuchPage } from '../../web/views/error-page.js';
import { countText } from '../../web/views/locales.js';
import { sentence } from '../../edge/middleware/problem-documents.js';
import { Refusal, type Wordings } from '../messages.js';
import { numberedPages, pageNumberIn } from '../../web/pager.js';
import type { RequestOf, ShownForm } from '../request.js';
import { TEXTS } from '../texts/texts.js';

const PAGE_SIZE = 50;
const LIST = '/operator/categories';
const T = TEXTS.operator.categories;
const NOTICES = { added: T.noticeAdded, renamed: T.noticeRenamed, removed: T.noticeRemoved };
const RULES = { name: CATEGORY_NAME.maxLength, id: SLUG_MAX_LENGTH };

const WORDINGS: Wordings = {
  name: { label: T.name, instead: { 'too-short': TEXTS.required(T.name), taken: T.nameTaken } },
  id: { label: T.id, instead: { taken: T.idTaken } },
};

type OperatorRequest = RequestOf<'operator'>;

async function showCategories(request: OperatorRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const list = `${panel.at}${LIST}`;
  const all = await panel.marketplace.listCategories(signedIn.caller);
  const page = pageNumberIn(query);
  const addressOfPage = (number: number) => `${list}?page=${number}`;
  const pages = numberedPages({ page, size: PAGE_SIZE, total: all.length, addressOfPage });
  const categories = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((category) => ({
    ...category,
    count: countText(category.automationCount),
    href: `${panel.at}/operator/automations?category=${category.id}`,
    renaming: `${list}/${category.id}/rename`,
    removing: category.automationCount === 0 ? `${list}/${category.id}/remove` : undefined,
  }));
  const form = { form: typedIn(request), rules: RULES, formId: randomUUID() };
  request.show('operator-categories', {
    ...{ title: T.title, notice: request.notice(NOTICES) },
    ...{ categories, list, pages, ...form },
  });
}

export const addCategory: ShownForm<'operator'> = {
  show: showCategories,
  wordings: () => WORDINGS,
  submit: async (request) => {
    await request.once(() => request.panel.categories.add(request.signedIn.by, typedIn(request)));
    request.goTo(`${LIST}?notice=added`);
  },
};

export const renameCategory: ShownForm<'operator'> = {
  show: async (request) => {
    const { panel } = request;
    const category = await categoryIn(request);
    const form = { category, name: request.text('name', category.name), rules: RULES, list: `${panel.at}${LIST}` };
    request.show('operator-category', { title: T.renameTitle, ...form });
  },
  wordings: () => WORDINGS,
  submit: async (request) => {
    await request.panel.categories.rename(request.signedIn.by, request.param(), request.text('name'));
    request.goTo(`${LIST}?notice=renamed`);
  },
};

export const removeCategory: ShownForm<'operator'> = {
  show: async (request) => {
    const { id, name } = await categoryIn(request);
    const page = { title: T.removeTitle, lead: T.removeLead(name), back: `${request.panel.at}${LIST}` };
    request.show('operator-category-remove', { ...page, category: { id, name } });
  },
  submit: async (request) => {
    const { id } = await categoryIn(request);
    await request.panel.categories.remove(request.signedIn.by, id).catch(refuseUsed);
    request.goTo(`${LIST}?notice=removed`);
  },
};

function refuseUsed(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'category-in-use') throw error;
  throw new Refusal({ form: sentence(error.message) }, 409);
}

async function categoryIn(request: OperatorRequest): Promise<Category> {
  return (await request.panel.categories.list()).find(({ id }) => id === request.param()) ?? noSuchPage();
}

function typedIn(request: OperatorRequest) {
  return { name: request.text('name'), id: request.text('id').trim() };
}
