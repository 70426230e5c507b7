import { inMajorUnits, type Automation, type CountedCategory, type UncheckedDraft } from '../../application/index.js';
import { DESCRIPTION, TITLE } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import { checkPrice, highestPrice } from '../../domain/price.js';
import { allowedCharacters, checkText, trimmed, type TextRule } from '../../domain/text.js';
import { examplePrice, typedPrice, typedPricePattern, typedPriceRule } from '../../domain/typed-price.js';
import { preferences } from '../http/middleware/negotiation.js';
import { localeOf, priceText } from '../http/views/locales.js';
import { markdownToHtml } from '../http/views/markdown.js';
import { textOf, type Form } from './form.js';
import type { Wordings } from './messages.js';
import { TEXTS } from './texts.js';
import type { Context, Panel, SignedInDeveloper } from './visit.js';

const T = TEXTS.form;

const WORDINGS = {
  title: { label: T.title, instead: { 'too-short': T.titleRequired } },
  description: { label: T.description, instead: { 'too-short': T.descriptionRequired } },
  categoryId: {
    label: T.category,
    instead: { required: T.categoryRequired, 'unknown-value': T.chooseCategory },
  },
} as const satisfies Wordings;

/** Returns the labels of the fields, and sentences for what is wrong with them. */
export function wordingsIn(currency: Currency): Wordings {
  const instead = { required: T.priceRequired, 'wrong-type': `${T.price} ${typedPriceRule(currency)}.` };
  return { ...WORDINGS, price: { label: T.price, instead } };
}

/** The fields of an automation as they were typed. */
export interface TypedDraft {
  readonly title: string;
  readonly description: string;
  readonly price: string;
  readonly categoryId: string;
}

export function draftIn(form: Form): TypedDraft {
  return {
    title: textOf(form, 'title'),
    description: textOf(form, 'description'),
    price: trimmed(textOf(form, 'price')),
    categoryId: textOf(form, 'categoryId'),
  };
}

/** Returns the fields of an automation as they would be typed. */
export function draftOf({ title, description, price, categoryId }: Automation): TypedDraft {
  return { title, description, price: String(inMajorUnits(price)), categoryId };
}

/** Omits empty fields. A price that is not a number stays text, and the core reports it. */
export function unchecked({ title, description, price, categoryId }: TypedDraft, currency: Currency): UncheckedDraft {
  return {
    title,
    description,
    ...(price !== '' && { price: typedPrice(price, currency) }),
    ...(categoryId !== '' && { categoryId }),
  };
}

/** Returns what the fields show besides the draft. */
export async function fieldsData(ctx: Context, { marketplace }: Panel, { caller }: SignedInDeveloper) {
  const { currency } = marketplace;
  const categories = await marketplace.listCategories(caller);
  const choices = [
    { value: '', text: T.chooseOne },
    ...categories.map(({ id, name, automationCount }) => ({ value: id, text: `${name} (${automationCount})` })),
  ];
  const locale = localeOf(preferences(ctx, 'Accept-Language'));
  return { categories, choices, currency, locale, rules: rulesIn(currency) };
}

interface Shown {
  readonly currency: Currency;
  readonly locale: string;
  readonly categories: readonly CountedCategory[];
}

/** Returns what buyers would see of a draft, which may be incomplete or wrong: what breaks a rule is not shown. */
export function previewOf(draft: TypedDraft, { currency, locale, categories }: Shown) {
  return {
    title: shownText(draft.title, TITLE, T.noTitle),
    html: markdownToHtml(shownText(draft.description, DESCRIPTION, T.noDescription)),
    price: shownPrice(draft, currency, locale),
    category: categories.find(({ id }) => id === draft.categoryId)?.name ?? '',
  };
}

function shownText(typed: string, rule: TextRule, otherwise: string): string {
  if (typed.trim() === '') return otherwise;
  const broken: string[] = [];
  const text = checkText(typed, rule, (code) => broken.push(code));
  return broken.length > 0 ? T.notShown : text;
}

/** Returns nothing for a price that is missing or wrong: the message next to the field says so. */
function shownPrice(draft: TypedDraft, currency: Currency, locale: string): string {
  const broken: string[] = [];
  const price = checkPrice(typedPrice(draft.price, currency), currency, (code) => broken.push(code));
  return broken.length > 0 ? '' : priceText(price, locale);
}

function rulesIn(currency: Currency) {
  const price = {
    pattern: typedPricePattern(currency),
    rule: typedPriceRule(currency),
    highest: highestPrice(currency),
    example: examplePrice(currency),
  };
  return { title: ruleOf(TITLE), description: ruleOf(DESCRIPTION), price };
}

function ruleOf(rule: TextRule) {
  return { most: rule.maxLength, pattern: allowedCharacters(rule) };
}
