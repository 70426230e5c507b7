/** For whom there is no time. */
export const BUSY = 'The marketplace is busy';

/** What an error page says: what is the matter, and what to do. */
const REFUSALS = {
  400: { title: 'That did not arrive whole', advice: 'Go back, load the page again and try once more.' },
  403: {
    title: 'This form is not from here',
    advice: 'It was sent by another site, or belongs to a session that has ended. Open the panel again and fill it in there.',
  },
  404: { title: 'There is nothing here', advice: 'The address may be mistyped, or what was here is gone.' },
  405: { title: 'That is not how this page works', advice: 'Open it with a browser.' },
  409: { title: 'That is not possible any more', advice: 'Something has changed meanwhile. Go back and look again.' },
  413: { title: 'That is too much', advice: 'A description has at most 10,000 characters. Go back and shorten the text.' },
  415: { title: 'That is not a form', advice: 'The panel takes what its own forms send.' },
  500: { title: 'Something went wrong on our side', advice: 'Try again. If it happens once more, tell the operator the request id below.' },
  503: { title: 'The marketplace is out of reach', advice: 'Its storage does not answer at the moment. Nothing is lost; try again in a few seconds.' },
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** Why a request is not done. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: RefusalStatus,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly advice: string = REFUSALS[status].advice,
    readonly title: string = REFUSALS[status].title,
  ) {
    super(title);
  }
}
