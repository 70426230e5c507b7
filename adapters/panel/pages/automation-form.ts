import {
  inMajorUnits,
  type Automation,
  type CountedCategory,
  type DeveloperId,
  type UncheckedDraft,
} from '../../../application/index.js';
import { DESCRIPTION, LICENSE, TITLE } from '../../../domain/automation.js';
import type { Currency } from '../../../domain/currency.js';
import { MAX_FILE_BYTES } from '../../../domain/file.js';
import type { ReportViolation } from '../../../domain/errors.js';
import { checkPrice, highestPrice } from '../../../domain/price.js';
import { checkWebsite, WEBSITE } from '../../../domain/public-developer.js';
import { allowedCharacters, checkText, trimmed, type TextRule } from '../../../domain/text.js';
import { examplePrice, typedPrice, typedPricePattern, typedPriceRule } from '../../../application/typed-price.js';
import { priceText } from '../../web/views/locales.js';
import { isChecked } from '../../web/views/check-box.js';
import { markdownToHtml } from '../../web/views/markdown.js';
import { HTML_TYPE, send } from '../../edge/send.js';
import { countCreate } from '../../edge/middleware/rate-limits.js';
import { messagesOf, Refusal, type Wordings } from '../messages.js';
import type { Panel } from '../panel.js';
import type { FormPage } from '../request.js';
import { onlyFile } from '../upload.js';
import { TEXTS } from '../texts/texts.js';
import type { ManagerRequest } from './automations.js';

const T = TEXTS.form;

const WORDINGS = {
  title: { label: T.title, instead: { 'too-short': TEXTS.required(T.title) } },
  description: { label: T.description, instead: { 'too-short': TEXTS.required(T.description) } },
  categoryId: {
    label: T.category,
    instead: { required: TEXTS.required(T.category), 'unknown-value': T.chooseCategory },
  },
  url: { label: T.url },
  license: { label: T.license },
} as const satisfies Wordings;

/** Returns the labels of the fields, and sentences for what is wrong with them. */
export function wordingsOf({ marketplace }: Panel): Wordings {
  const instead = {
    required: TEXTS.required(T.price),
    'wrong-type': `${T.price} ${typedPriceRule(marketplace.currency)}.`,
  };
  const file = { label: T.file, instead: { 'not-free': T.fileIsFree } };
  return { ...WORDINGS, price: { label: T.price, instead }, file };
}

/** The fields of an automation as they were typed. */
export interface TypedDraft {
  readonly title: string;
  readonly description: string;
  readonly price: string;
  readonly categoryId: string;
  readonly url: string;
  readonly license: string;
}

/** Returns the fields as they were typed; empty before the form was sent. */
export function draftIn(request: ManagerRequest): TypedDraft {
  return {
    title: request.text('title'),
    description: request.text('description'),
    price: trimmed(request.text('price')),
    categoryId: request.text('categoryId'),
    url: request.text('url'),
    license: request.text('license'),
  };
}

/** Returns the fields of an automation as they would be typed. */
export function draftOf({ title, description, price, categoryId, url, license }: Automation): TypedDraft {
  const texts = { title, description, categoryId, url: url ?? '', license: license ?? '' };
  return { ...texts, price: String(inMajorUnits(price)) };
}

/** Omits an empty price and category. A price that is not a number stays text, and the core reports it. */
export function unchecked({ price, categoryId, ...texts }: TypedDraft, currency: Currency): UncheckedDraft {
  return {
    ...texts,
    ...(price !== '' && { price: typedPrice(price, currency) }),
    ...(categoryId !== '' && { categoryId }),
  };
}

/** Returns what is asked for the file: another one, none any more, or nothing. @throws Refusal for several files */
export function fileIn(request: ManagerRequest): Pick<UncheckedDraft, 'file'> {
  const file = onlyFile(request.files);
  if (file !== undefined) return { file };
  return isChecked(request.text('removeFile')) ? { file: null } : {};
}

/** Counts the form as a create. @throws Refusal when it is too much */
export async function countForm({ ctx, panel, signedIn }: ManagerRequest): Promise<void> {
  const seconds = await countCreate(ctx, panel.quotas, signedIn.account.id);
  if (seconds !== undefined) throw new Refusal({ form: T.tooMany(seconds) }, 429);
}

/** Has the form show what buyers will see of it, or what is wrong. */
export async function review(request: ManagerRequest, seller?: DeveloperId): Promise<boolean> {
  const { marketplace } = request.panel;
  const draft = { ...unchecked(draftIn(request), marketplace.currency), ...fileIn(request) };
  const errors = await marketplace.reviewAutomation(request.signedIn.by, draft, seller);
  request.report(messagesOf(errors, wordingsOf(request.panel)));
  return errors.length === 0;
}

/** Shows the preview of a form that is being filled in, without a page around it. It changes nothing. */
export const previewDraft: FormPage<'seller'> = {
  submit: async (request) => {
    const { preview } = await contentsOf(request, draftIn(request));
    send(request.ctx, HTML_TYPE, request.panel.render('offer', { offer: preview }));
  },
};

/** The rest of a form: its texts, and where it leads. */
interface FormFrame {
  readonly texts: typeof TEXTS.publish | typeof TEXTS.revise;
  /** Where the form is sent, and where the link back leads, below `/panel`. */
  readonly action: string;
  readonly back: string;
  readonly backText: string;
  /** Whether the preview was asked for: then narrow screens show it, too. */
  readonly isPreview: boolean;
}

/** Shows the form with which an automation is published or revised. */
export async function showForm(
  request: ManagerRequest,
  draft: TypedDraft,
  { texts, action, back, ...frame }: FormFrame & Readonly<Record<string, unknown>>,
): Promise<void> {
  const { at } = request.panel;
  const addresses = { action: `${at}${action}`, back: `${at}${back}` };
  const contents = await contentsOf(request, draft);
  const file = { mostBytes: MAX_FILE_BYTES, mustBeChosenAgain: request.files.length > 0 };
  request.show('automation-form', { title: texts.title, form: texts, file, ...contents, ...addresses, ...frame });
}

async function contentsOf(request: ManagerRequest, draft: TypedDraft) {
  const { marketplace } = request.panel;
  const { currency } = marketplace;
  const categories = await marketplace.listCategories(request.signedIn.caller);
  const choices = [
    { value: '', text: T.chooseOne },
    ...categories.map(({ id, name, automationCount }) => ({ value: id, text: `${name} (${automationCount})` })),
  ];
  const preview = previewOf(draft, { currency, categories, locale: request.locale() });
  return { draft, choices, currency, rules: rulesIn(currency), preview };
}

interface Shown {
  readonly currency: Currency;
  readonly locale: string;
  readonly categories: readonly CountedCategory[];
}

/** Returns what buyers would see of a draft, which may be incomplete or wrong: what breaks a rule is not shown. */
function previewOf(draft: TypedDraft, { currency, locale, categories }: Shown) {
  return {
    title: shownText(draft.title, TITLE, T.noTitle),
    html: markdownToHtml(shownText(draft.description, DESCRIPTION, T.noDescription)),
    price: shownPrice(draft, currency, locale),
    category: categories.find(({ id }) => id === draft.categoryId)?.name ?? '',
    url: checkedOr('', (report) => checkWebsite(draft.url, report)),
    license: checkedOr('', (report) => checkText(draft.license, LICENSE, report)),
  };
}

function shownText(typed: string, rule: TextRule, otherwise: string): string {
  return typed.trim() === '' ? otherwise : checkedOr(T.notShown, (report) => checkText(typed, rule, report));
}

/** Returns nothing for a price that is missing or wrong: the message next to the field says so. */
function shownPrice(draft: TypedDraft, currency: Currency, locale: string): string {
  const typed = typedPrice(draft.price, currency);
  const price = checkedOr(undefined, (report) => checkPrice(typed, currency, report));
  return price ? priceText(price, locale) : '';
}

/** Returns what a check makes of a value; when that breaks a rule, something else. */
function checkedOr<Value, Otherwise>(
  otherwise: Otherwise,
  check: (report: ReportViolation) => Value,
): Value | Otherwise {
  const broken: string[] = [];
  const value = check((code) => broken.push(code));
  return broken.length > 0 ? otherwise : value;
}

function rulesIn(currency: Currency) {
  const price = {
    pattern: typedPricePattern(currency),
    rule: typedPriceRule(currency),
    highest: highestPrice(currency),
    example: examplePrice(currency),
  };
  const [url, license] = [ruleOf(WEBSITE), ruleOf(LICENSE)];
  return { title: ruleOf(TITLE), description: ruleOf(DESCRIPTION), price, url, license };
}

function ruleOf(rule: TextRule) {
  return { most: rule.maxLength, pattern: allowedCharacters(rule) };
}
