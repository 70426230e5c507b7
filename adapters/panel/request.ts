import type { FileDraft } from '../../domain/file.js';
import { DomainError, type Actor, type Operator, type Person } from '../../application/index.js';
import type { Context, SignedInDeveloper } from '../edge/context.js';
import { pathParameter } from '../edge/middleware/routing.js';
import { preferences } from '../edge/middleware/negotiation.js';
import { originOf, sessionToken } from '../web/signed-in.js';
import { publicOrigin } from '../edge/public-url.js';
import { HTML_TYPE, seeOther, send } from '../edge/send.js';
import { localeOf } from '../web/views/locales.js';
import { sectionOf, visitorOf } from '../web/views/navigation.js';
import { formIdOf, type Form } from '../web/form.js';
import { messagesOf, type Messages, type Sentences, type Wordings } from './messages.js';
import type { Panel } from './panel.js';
import { TEXTS } from './texts/texts.js';

/** A person who is signed in, and the rights with which they act. */
export interface Member<By extends Actor = Actor> extends SignedInDeveloper {
  readonly by: By;
}

/** For whom a route is, and who is signed in then: any visitor, every member, all but buyers, or operators alone. */
export interface Audiences {
  readonly visitor: null;
  readonly member: Member<Person>;
  readonly seller: Member<Person>;
  readonly operator: Member<Operator>;
}

export type Audience = keyof Audiences;
export type RequestOf<Name extends Audience> = PanelRequest<Audiences[Name]>;
/** Responds to a request of an audience. */
export type Page<Name extends Audience> = (request: RequestOf<Name>) => Promise<void>;

/** A form. */
export interface FormPage<Name extends Audience> extends Sentences {
  /** Shows the form: empty, or again as it was typed. Undefined for a button on another page. */
  readonly show?: Page<Name>;
  /** Whether it may have a file, and comes as `multipart/form-data` then. */
  readonly takesFile?: boolean;
  /** Does what the form asks for, and responds. It throws what is wrong. */
  readonly submit: Page<Name>;
}

/** A form at an address of its own. */
export interface ShownForm<Name extends Audience> extends FormPage<Name> {
  readonly show: Page<Name>;
}

const NO_FORM: Form = new URLSearchParams();

/** A request for a page: the person who is signed in, what was sent, and the ways to respond. */
export class PanelRequest<SignedIn extends Member | null> {
  readonly query: URLSearchParams;
  readonly isForm: boolean;
  #messages: Messages = {};
  #status = 200;

  constructor(
    readonly ctx: Context,
    readonly panel: Panel,
    readonly signedIn: SignedIn,
    /** Empty before a form was sent. */
    readonly form: Form = NO_FORM,
    /** The files that came with it. */
    readonly files: readonly FileDraft[] = [],
  ) {
    this.query = new URLSearchParams(ctx.querystring);
    this.isForm = form !== NO_FORM;
  }

  /** Returns what the address has where the path of the route has `:id`, or another name. */
  param(name = 'id'): string {
    return pathParameter(this.ctx, name);
  }

  /** Returns what was typed into a field; before a form was sent, its first content. */
  text(name: string, first = ''): string {
    return this.isForm ? (this.form.get(name) ?? '') : first;
  }

  /** Returns the text of the notice that the address names; undefined if it is not one of these. */
  notice(notices: Readonly<Record<string, string>>): string | undefined {
    const name = this.query.get('notice') ?? '';
    return Object.hasOwn(notices, name) ? notices[name] : undefined;
  }

  locale(): string {
    return localeOf(preferences(this.ctx, 'Accept-Language'));
  }

  /** Returns the address of the service as the browser sees it; undefined if the browser sent an unsafe host. */
  publicAddress(): string | undefined {
    const origin = publicOrigin(this.ctx.req, this.panel.publicUrl);
    return origin && `${origin}${this.panel.base}`;
  }

  /** Returns where the request comes from, for the audit and the throttling of sign-ins. */
  origin() {
    return originOf(this.ctx, this.panel);
  }

  /** Returns the token of the session in use, valid or not. */
  sessionToken(): string {
    return sessionToken(this.ctx, this.panel) ?? '';
  }

  /** Does what the form asks for; returns undefined if that was done before. */
  once<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    return this.panel.submitted.once(formIdOf(this.form), act);
  }

  /** Has the page that follows tell what is wrong, by field (RFC 9110, section 15.5.21, for the status). */
  report(messages: Messages, status = 422): void {
    this.#messages = messages;
    if (Object.keys(messages).length > 0) this.#status = status;
  }

  /** Responds with a page. */
  show(template: string, page: { readonly title: string } & Readonly<Record<string, unknown>>, status?: number): void {
    const { panel, ctx, signedIn } = this;
    const has = { apps: panel.oauth !== undefined, reports: panel.reports !== undefined };
    const visitor = signedIn ? visitorOf(panel.base, signedIn, has) : undefined;
    const frame = visitor
      ? { frame: 'app', visitor, current: sectionOf(visitor, `${panel.base}${ctx.path}`) }
      : { frame: 'gate' };
    const hasMistake = Object.keys(this.#messages).length > 0 || Boolean(page['problem']);
    const data = { notice: '', ...frame, ...page, messages: this.#messages, hasMistake };
    send(ctx, HTML_TYPE, panel.render(template, data), status ?? this.#status);
  }

  /** Leads to a page of the panel, after a form to one that is safe to reload. */
  goTo(path: string): void {
    seeOther(this.ctx, `${this.panel.at}${path}`);
  }
}

const FILTERS: Wordings = {
  q: { label: TEXTS.automations.search },
  developer: { label: TEXTS.operator.developers.developer },
};

/** Returns what is found. For words and names that cannot be looked for, it is nothing, and the page says why. */
export async function findOr<Found>(
  request: RequestOf<Audience>,
  find: () => Promise<Found>,
  nothing: Found,
): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    request.report(messagesOf(error.fields, FILTERS), 200);
    return nothing;
  }
}
