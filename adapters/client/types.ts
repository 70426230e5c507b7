/** An automation that is on sale. */
export interface Automation {
  /** A UUID. */
  id: string;
  title: string;
  /** Markdown or plain text. */
  description: string;
  /** In major units, exact. */
  price: number;
  /** ISO 4217; the same for the whole marketplace. */
  currency: string;
  category_id: string;
  developer_id: string;
  /** Where to get it or read more: an address that begins with `https://`. */
  url: string | null;
  /** An SPDX identifier, or words. */
  license: string | null;
  /** The automation itself, as its tool exports it. */
  file: AutomationFile | null;
  /** RFC 3339, in UTC. */
  created_at: string;
  /** The time of the last revision, else that of the creation. */
  updated_at: string;
}

/** A file that is given away with an automation. */
export interface AutomationFile {
  name: string;
  media_type: string;
  /** The number of bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** The platform whose file it is, such as `n8n`. */
  platform: string | null;
  /** Where to get it. */
  url: string | null;
  /** What was read from it, without running it; of a file of a platform alone. */
  facts: FileFacts | null;
  /** What was removed from the file that was sent: in the response to a create alone. */
  removed?: FilePart[];
}

/** What a file needs and does where it is installed. A list has at most 50 entries. */
export interface FileFacts {
  /** Names of services. */
  needs: string[];
  /** The hosts that it calls; `computed` stands for those that are only known when it runs. */
  hosts: string[];
  /** Which type of credential goes to which host. */
  credentials: { type: string; host: string }[];
  /** What its steps can do, such as `code`. */
  abilities: FilePart[];
  /** Packages that the platform does not bring. */
  community_packages: string[];
  /** The connections that lead from or to a step that is not there. */
  broken_connections: number;
  /** The steps without a connection. */
  unconnected_steps: number;
  /** Details that may be private. */
  remaining: { documents: string[]; hosts: string[]; emails: string[] };
  /** Whether the lists have everything. */
  is_complete: boolean;
}

/** A kind of parts of a file, and how many there are. */
export interface FilePart {
  kind: string;
  count: number;
}

/** What a list has of an automation. */
export interface AutomationSummary {
  id: string;
  title: string;
  price: number;
}

/** A page of a list. */
export interface AutomationList {
  data: AutomationSummary[];
  /** The number of automations that match, on all pages. */
  total: number;
  /** The number of this page. */
  page: number;
}

/** A category, with the number of automations on sale in it. */
export interface Category {
  id: string;
  name: string;
  automation_count: number;
}

/** All categories. */
export interface CategoryList {
  data: Category[];
  total: number;
}

/** What is sent to put an automation on sale. */
export interface CreateAutomation {
  /** One line of 1 to 200 characters. */
  title: string;
  /** 1 to 10,000 characters. */
  description: string;
  /** In major units, with at most the decimals of the currency. */
  price: number;
  category_id: string;
  /** Where to get it or read more: an address that begins with `https://`. At most 500 characters. */
  url?: string | null;
  /** An SPDX identifier, or words: one line of at most 100 characters. */
  license?: string | null;
  /** Only for what costs nothing. */
  file?: NewFile | null;
}

/** A file of 1 byte to 1 MiB, with either `text` or `base64`. */
export interface NewFile {
  /** 1 to 100 characters; its ending decides the type. */
  name: string;
  /** Of a file in UTF-8. */
  text?: string;
  /** The bytes of any file (RFC 4648, section 4). */
  base64?: string;
}

/** Which automations to list, and in which order. Everything combines. */
export interface ListQuery {
  /** The id of a category. */
  readonly category?: string | undefined;
  /** Only those with a file of this platform. */
  readonly platform?: 'n8n' | undefined;
  /** Words that must all be in title or description; the last may be the beginning of a word. 1 to 200 characters. */
  readonly q?: string | undefined;
  /** `newest` by default. `best`, only with `q`: the title that is `q`, then titles with all words, then the others. */
  readonly sort?: 'newest' | 'price' | '-price' | 'best' | undefined;
  /** The lowest price, in major units. */
  readonly price_min?: number | undefined;
  /** The highest price, in major units. */
  readonly price_max?: number | undefined;
}

/** The kinds of problems that the service reports. */
export type ProblemCode =
  | 'malformed-request'
  | 'malformed-json'
  | 'invalid-query'
  | 'idempotency-key-invalid'
  | 'missing-credentials'
  | 'invalid-token'
  | 'insufficient-scope'
  | 'cross-site-request'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'conflict'
  | 'precondition-failed'
  | 'payload-too-large'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'unsupported-content-encoding'
  | 'expectation-failed'
  | 'validation-error'
  | 'idempotency-key-reused'
  | 'quota-exceeded'
  | 'header-too-large'
  | 'internal-error'
  | 'unavailable'
  | 'overloaded'
  | 'outcome-unknown';

/** One mistake in a request. */
export interface FieldError {
  /** A member of the body, as a JSON Pointer (RFC 6901). */
  pointer?: string;
  /** A query parameter. */
  parameter?: string;
  /** The kind of rule that is broken. */
  code:
    | 'required'
    | 'wrong-type'
    | 'too-short'
    | 'too-long'
    | 'out-of-range'
    | 'invalid-format'
    | 'invalid-text'
    | 'unknown-value'
    | 'too-common'
    | 'taken'
    | 'not-free'
    | 'contains-secret'
    | 'refused-file'
    | 'host-rule'
    | 'unknown-parameter'
    | 'unknown-member'
    | 'bad-encoding'
    | 'repeated'
    | 'empty';
  /** What is allowed, for people. */
  detail: string;
}

/** A problem document (RFC 9457). */
export interface Problem {
  /** The address of an explanation. */
  type: string;
  code: ProblemCode;
  title: string;
  status: number;
  detail: string;
  /** The id of the request in the log of the service. */
  instance: string;
  errors?: FieldError[];
}
