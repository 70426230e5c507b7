import { randomUUID } from 'node:crypto';
import { DomainError, requestKey, type UncheckedDraft } from '../../../application/index.js';
import { DESCRIPTION, TITLE } from '../../../domain/automation.js';
import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { highestPrice } from '../../../domain/price.js';
import { allowedCharacters } from '../../../domain/text.js';
import { seeOther } from '../answers.js';
import { nameOf, textOf, type Form } from '../form.js';
import { formOfMembers, forMembers } from '../guards.js';
import { messagesIn, messagesOf, type Messages, type Wordings } from '../messages.js';
import { show } from '../page.js';
import type { Resource } from '../routes.js';
import type { Context, Member, Panel } from '../visit.js';
import { priceText } from './automations.js';

const WORDINGS = {
  title: { label: 'Title', instead: { 'too-short': 'Give it a title.' } },
  description: { label: 'Description', instead: { 'too-short': 'Describe what it does.' } },
  categoryId: { label: 'Category', instead: { required: 'Choose a category.', 'unknown-value': 'Choose a category.' } },
} as const satisfies Wordings;

function wordingsIn(currency: Currency): Wordings {
  const notNumber = `Price must be a number such as ${examplePrice(currency)}.`;
  return { ...WORDINGS, price: { label: 'Price', instead: { required: 'Say what it costs; 0 is free.', 'wrong-type': notNumber } } };
}

function examplePrice(currency: Currency): string {
  return decimalsOf(currency) === 0 ? '10' : '9.99';
}

const SENT_BEFORE = 'This form was sent before with other content. Look at your automations first; send it again to publish this one as well.';

/** As it was typed. */
interface Draft {
  readonly title: string;
  readonly description: string;
  readonly price: string;
  readonly categoryId: string;
  /** Names this form, so that sending it twice publishes once. */
  readonly once: string;
}

const emptyDraft = (): Draft => ({ title: '', description: '', price: '', categoryId: '', once: randomUUID() });

export function publishingPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations/new': {
      GET: forMembers(panel, (ctx, member) => showForm(ctx, panel, member, { draft: emptyDraft() })),
      POST: formOfMembers(panel, (ctx, member, form) => send(ctx, panel, member, form)),
    },
  };
}

async function send(ctx: Context, panel: Panel, member: Member, form: Form): Promise<void> {
  const draft = draftIn(form);
  if (textOf(form, 'step') === 'preview') await preview(ctx, panel, member, draft);
  else await publish(ctx, panel, member, draft);
}

async function preview(ctx: Context, panel: Panel, member: Member, draft: Draft): Promise<void> {
  const messages = messagesOf(await panel.marketplace.reviewAutomation(unchecked(draft)), wordingsIn(panel.marketplace.currency));
  await showForm(ctx, panel, member, { draft, messages, isPreview: true });
}

async function publish(ctx: Context, panel: Panel, member: Member, draft: Draft): Promise<void> {
  try {
    const { automation } = await panel.marketplace.createAutomationOnce(member.caller, unchecked(draft), requestKey(draft.once));
    seeOther(ctx, `${panel.at}/automations/${automation.id}?notice=published`);
  } catch (error) {
    const isReused = error instanceof DomainError && error.kind === 'idempotency-key-reused';
    const messages = isReused ? { form: SENT_BEFORE } : messagesIn(error, wordingsIn(panel.marketplace.currency));
    await showForm(ctx, panel, member, { draft: isReused ? { ...draft, once: randomUUID() } : draft, messages }, isReused ? 409 : 422);
  }
}

function draftIn(form: Form): Draft {
  return {
    title: textOf(form, 'title'),
    description: textOf(form, 'description'),
    price: textOf(form, 'price').trim(),
    categoryId: textOf(form, 'categoryId'),
    once: nameOf(form) || randomUUID(),
  };
}

/** What is no number stays what it is, and the core says so; what is left out is missing. */
function unchecked({ title, description, price, categoryId }: Draft): UncheckedDraft {
  return {
    title,
    description,
    ...(price !== '' && { price: /^\d{1,12}(\.\d{1,6})?$/.test(price) ? Number(price) : price }),
    ...(categoryId !== '' && { categoryId }),
  };
}

interface Filled {
  readonly draft: Draft;
  readonly messages?: Messages;
  readonly isPreview?: boolean;
}

async function showForm(ctx: Context, panel: Panel, member: Member, filled: Filled, status?: number): Promise<void> {
  const { draft, messages = {}, isPreview = false } = filled;
  const { currency } = panel.marketplace;
  const categories = await panel.marketplace.listCategories(member.caller);
  const prices = { decimals: decimalsOf(currency), highest: highestPrice(currency), example: examplePrice(currency) };
  const rules = { title: ruleOf(TITLE), description: ruleOf(DESCRIPTION), ...prices };
  const shown = isPreview && Object.keys(messages).length === 0 ? previewOf(draft, currency, categories) : undefined;
  const page = { title: 'Publish an automation', section: 'automations', member, draft, messages, preview: shown, categories, currency, rules } as const;
  show(ctx, panel, 'publish', page, status);
}

function ruleOf(rule: typeof TITLE) {
  return { most: rule.maxLength, pattern: allowedCharacters(rule) };
}

function previewOf(draft: Draft, currency: Currency, categories: readonly { readonly id: string; readonly name: string }[]) {
  return {
    title: draft.title.trim(),
    description: draft.description.trim(),
    price: priceText(Number(draft.price), currency),
    category: categories.find(({ id }) => id === draft.categoryId)?.name ?? '',
  };
}
