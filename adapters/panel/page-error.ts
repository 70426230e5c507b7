/** The title of the page while the service has too many requests. */
export const BUSY = 'The marketplace is busy';

/** The texts of the error pages: the problem, and the next step. */
const PAGES = {
  400: { title: 'The request was incomplete', advice: 'Go back, reload the page and try again.' },
  403: {
    title: 'This form cannot be accepted',
    advice: 'It was sent by another site, or its session has ended. Open the panel again and fill in the form there.',
  },
  404: { title: 'Page not found', advice: 'The address may be wrong, or the page was removed.' },
  405: { title: 'This page does not accept this request', advice: 'Open it in a browser.' },
  409: { title: 'This is no longer possible', advice: 'Something has changed in the meantime. Go back and check.' },
  413: {
    title: 'The text is too long',
    advice: 'A description has at most 10,000 characters. Go back and shorten the text.',
  },
  415: { title: 'This request is not a form', advice: 'The panel accepts only its own forms.' },
  500: {
    title: 'Something went wrong on our side',
    advice: 'Try again. If it happens again, tell the operator the request id below.',
  },
  503: {
    title: 'The marketplace is unavailable',
    advice: 'Its storage does not respond at the moment. Nothing is lost. Try again in a few seconds.',
  },
} as const;

export type PageErrorStatus = keyof typeof PAGES;

/** Why a request is refused; shown as an error page. */
export class PageError extends Error {
  override readonly name = 'PageError';

  constructor(
    readonly status: PageErrorStatus,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly advice: string = PAGES[status].advice,
    readonly title: string = PAGES[status].title,
  ) {
    super(title);
  }
}
