import { randomBytes } from 'node:crypto';
import { DomainError, type Automation, type FieldError } from '../../application/index.js';
import { parseReport, REPORT_KINDS } from '../../domain/report.js';
import type { Context } from '../edge/context.js';
import { pathParameter } from '../edge/middleware/routing.js';
import { movedTo } from '../edge/send.js';
import { refuseCrossSite } from '../web/cross-site.js';
import { readForm } from '../web/form.js';
import { originOf, sessionToken, setCookie } from '../web/signed-in.js';
import { noSuchPage } from '../web/views/error-page.js';
import type { CatalogueApp } from './app.js';
import { showWithdrawn } from './detail-page.js';
import { sendPage } from './respond.js';
import { TEXTS } from './texts.js';

const T = TEXTS.report;
const COOKIE = 'reports';
const COOKIE_SECONDS = 3_600;
const BROWSER_ID = /^[\w-]{22}$/;

interface Typed {
  readonly kind: string;
  readonly text: string;
}

/** Shows the form that reports an automation. */
export async function showReport(ctx: Context, app: CatalogueApp): Promise<void> {
  const automation = await onSale(ctx, app);
  if (automation === undefined) return;
  if (ctx.state.signedIn === undefined) browserOf(ctx, app);
  showForm(ctx, app, automation, { kind: '', text: '' });
}

/** Takes the form. What was typed stays when it is refused. */
export async function reportAutomation(
  ctx: Context,
  app: CatalogueApp,
  reports: NonNullable<CatalogueApp['reports']>,
): Promise<void> {
  refuseCrossSite(ctx, app);
  const form = await readForm(ctx);
  const automation = await onSale(ctx, app);
  if (automation === undefined) return;
  const typed = { kind: form.get('kind') ?? '', text: form.get('text') ?? '' };
  const refused = mistakesIn(typed) ?? (await tooManyOf(ctx, app));
  if (refused !== undefined) showForm(ctx, app, automation, typed, refused);
  else {
    const by = ctx.state.signedIn?.person ?? ({ isVisitor: true, origin: originOf(ctx, app) } as const);
    const outcome = await reports.report(by, automation.id, typed);
    const address = app.addresses.automation(automation.id);
    sendPage(ctx, app, 'reported', { title: T.thanks, sentence: T.outcomes[outcome], address });
  }
}

/** Counts a report. When it is too much, sets the headers that say so. */
async function tooManyOf(ctx: Context, app: CatalogueApp): Promise<Refused | undefined> {
  const refusal = await app.reportLimits.take(reporterOf(ctx, app));
  if (refusal === undefined) return undefined;
  ctx.set(refusal.headers);
  return { messages: { form: T.tooMany(Math.ceil(refusal.seconds / 60)) }, status: 429 };
}

/** Returns the automation of the address; where it was withdrawn, sends the page that says so. */
async function onSale(ctx: Context, app: CatalogueApp): Promise<Automation | undefined> {
  const id = pathParameter(ctx, 'id');
  const { automation, withdrawn } = (await app.catalogue.read(id)) ?? noSuchPage();
  if (withdrawn !== undefined) await showWithdrawn(ctx, app);
  else if (id !== automation.id) movedTo(ctx, app.addresses.report(automation.id));
  else return automation;
  return undefined;
}

function mistakesIn(typed: Typed): Refused | undefined {
  try {
    parseReport(typed);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const sentenceOf = ({ field, code, detail }: FieldError) =>
      field === 'kind' ? T.kindRequired : code === 'too-long' ? T.textTooLong : T.textWrong(detail);
    return { messages: Object.fromEntries(error.fields.map((one) => [one.field, sentenceOf(one)])), status: 422 };
  }
}

interface Refused {
  readonly messages: Readonly<Record<string, string>>;
  readonly status: number;
}

function showForm(
  ctx: Context,
  app: CatalogueApp,
  { id, title: name }: Automation,
  typed: Typed,
  { messages, status }: Refused = { messages: {}, status: 200 },
): void {
  const kinds = REPORT_KINDS.map((value) => ({ value, text: T.kinds[value] }));
  const form = { ...typed, kinds, action: app.addresses.report(id) };
  const page = { title: T.title, name, address: app.addresses.automation(id), form, messages };
  sendPage(ctx, app, 'report', { ...page, hasMistake: status !== 200 }, status);
}

function reporterOf(ctx: Context, app: CatalogueApp) {
  const account = ctx.state.signedIn?.account.id;
  return account === undefined ? { browser: browserOf(ctx, app), address: app.addressOf(ctx.req) } : { account };
}

/** Returns the random id of a browser, which keeps it for an hour: it tells nothing but that it is the same one. */
function browserOf(ctx: Context, app: CatalogueApp): string {
  const known = sessionToken(ctx, app, COOKIE) ?? '';
  if (BROWSER_ID.test(known)) return known;
  const made = randomBytes(16).toString('base64url');
  setCookie(ctx, app, made, { cookie: COOKIE, seconds: COOKIE_SECONDS });
  return made;
}
