import { DomainError, type Report, type ReportedRow } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { MAX_OPEN_REPORTS } from '../../../domain/report.js';
import { cursorPages, positionIn } from '../../web/pager.js';
import { noSuchPage } from '../../web/views/error-page.js';
import { countText, sizeText } from '../../web/views/locales.js';
import { moment } from '../../web/views/times.js';
import { Refusal } from '../messages.js';
import type { FormPage, RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';

const LIST = '/operator/reports';
const T = TEXTS.operator.reports;
const NOTICES = { dismissed: T.noticeDismissed, withdrawn: T.noticeWithdrawn, refused: T.noticeRefused };
const PAGE_SIZE = 25;

type OperatorRequest = RequestOf<'operator'>;

/** Shows the automations with open reports. */
export async function showReports(request: OperatorRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const position = positionIn(query);
  const found = await useCasesOf(request).list(signedIn.by, { limit: PAGE_SIZE, before: position.before });
  const list = `${panel.at}${LIST}`;
  const rows = found.items.map((row) => rowOf(list, row));
  const page = { title: T.title, notice: request.notice(NOTICES), rows };
  request.show('operator-reports', { ...page, pages: cursorPages(list, position, found) });
}

/** Shows the reports of one automation, and what an operator can do about them. */
export async function showReported(request: OperatorRequest): Promise<void> {
  const { panel, signedIn, query } = request;
  const position = positionIn(query);
  // So many may be open, so that the first page shows all that an operator decides about.
  const wanted = { limit: MAX_OPEN_REPORTS, before: position.before };
  const { archived, ...found } = await useCasesOf(request).read(signedIn.by, request.param(), wanted);
  const { id, title, file } = archived.automation;
  const open = found.items.filter(({ closedAt }) => closedAt === undefined);
  const closed = found.items.filter(({ closedAt }) => closedAt !== undefined);
  const isDangerous = open.some(({ kind }) => kind === 'dangerous');
  const address = `${panel.at}${LIST}/${id}`;
  request.show('operator-reported', {
    ...{ title: T.oneTitle, name: title, list: `${panel.at}${LIST}`, address },
    automation: `${panel.at}/operator/automations/${id}`,
    isFirst: position.before === undefined,
    isWithdrawn: archived.withdrawn !== undefined,
    ...{ open: open.map(viewOf), closed: closed.map(viewOf) },
    ...{ reason: request.text('reason'), reasonMost: WITHDRAWAL_REASON.maxLength },
    file: isDangerous && file ? { ...file, size: sizeText(file.size) } : undefined,
    pages: cursorPages(address, position, found),
  });
}

/** A reload of a decision with a mistake leads back. */
export async function backToReported(request: OperatorRequest): Promise<void> {
  request.goTo(`${LIST}/${request.param()}`);
}

/** What a decision says when another operator has decided meanwhile. */
const conflicts = { 'no-such-report': T.closedMeanwhile };

export const dismissReports: FormPage<'operator'> = {
  conflicts,
  show: showReported,
  submit: async (request) => {
    await useCasesOf(request).dismiss(request.signedIn.by, request.param());
    request.goTo(`${LIST}?notice=dismissed`);
  },
};

/** Withdraws the automation; with the button that says so, its file is refused for everyone, as it was shown. */
export const upholdReports: FormPage<'operator'> = {
  conflicts,
  wordings: () => ({ reason: { label: T.reason, instead: { 'too-short': TEXTS.required(T.reason) } } }),
  show: showReported,
  submit: async (request) => {
    const refusedFile = request.form.get('refuse') ?? undefined;
    const decision = { reason: request.text('reason'), refusedFile };
    await useCasesOf(request).uphold(request.signedIn.by, request.param(), decision).catch(refuseWrongFile);
    request.goTo(`${LIST}?notice=${refusedFile === undefined ? 'withdrawn' : 'refused'}`);
  },
};

/** Only a form that was made by hand names what is no file. */
function refuseWrongFile(error: unknown): never {
  const isOfFile = error instanceof DomainError && error.fields.some(({ field }) => field === 'file');
  throw isOfFile ? new Refusal({ form: T.wrongFile }) : error;
}

function useCasesOf({ panel }: OperatorRequest): NonNullable<OperatorRequest['panel']['reports']> {
  return panel.reports ?? noSuchPage();
}

function rowOf(list: string, { id, count, kinds, archived }: ReportedRow) {
  return {
    id,
    title: archived?.automation.title ?? id,
    href: `${list}/${id}`,
    count: countText(count),
    kinds: kinds.map((kind) => ({ text: T.kinds[kind], isWarning: kind === 'dangerous' })),
    status: archived?.withdrawn === undefined ? T.onSale : T.withdrawn,
  };
}

function viewOf({ kind, text, at, developerId, address, decision }: Report) {
  return {
    ...{ text, address, at: moment(at), kind: T.kinds[kind], isWarning: kind === 'dangerous' },
    who: developerId ?? T.notSignedIn,
    decision: decision && T.decisions[decision],
  };
}
