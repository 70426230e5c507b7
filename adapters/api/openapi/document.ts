import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { highestPrice } from '../../../domain/price.js';
import { publicPath } from '../../edge/public-url.js';
import { headers } from './headers.js';
import { ref, type OpenApiDocument, type Schema } from './model.js';
import { paths } from './operations.js';
import { parameters } from './parameters.js';
import { responses } from './responses.js';
import { acceptedBy, securitySchemes } from './security.js';
import {
  automationListSchema,
  automationSchema,
  automationSummarySchema,
  categoryListSchema,
  categorySchema,
  createAutomationSchema,
  fieldErrorSchema,
  NESTED_SCHEMAS,
  problemSchema,
} from '../schemas.js';
import type { FindAccessTokens } from '../documents/resource-metadata.js';
import { BASES } from '../../edge/middleware/base-path.js';

export type { OpenApiDocument } from './model.js';

export interface OpenApiOptions {
  readonly currency: Currency;
  /** The version of the program. */
  readonly version: string;
  /** As in `HttpOptions`. */
  readonly mountPath?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly search?: boolean | undefined;
  /** Returns whose access tokens are accepted by the API in addition to keys. Default: none are. */
  readonly accessTokens?: FindAccessTokens | undefined;
}

const NAME_OF = new Map(Object.entries(NESTED_SCHEMAS).map(([name, schema]) => [schema, name]));

/** Returns the schemas with the name of each object within another in its place. */
function withNames(schemas: Readonly<Record<string, object>>): Readonly<Record<string, Schema>> {
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const name = NAME_OF.get(value);
    return name === undefined ? membersOf(value) : ref('schemas', name);
  };
  const membersOf = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([member, one]) => [member, named(one)]));
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, membersOf(schema)]));
}

/** Returns the wire contract as an OpenAPI 3.1 document. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { currency, version, mountPath = '', publicUrl = '', search = true, accessTokens } = options;
  const problemBase = publicPath(publicUrl) + mountPath;
  const schemes = securitySchemes(accessTokens?.());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Automation Marketplace API',
      version,
      summary: search ? 'List, search, read and create automations.' : 'List, read and create automations.',
      description: description(currency, search),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${mountPath}${BASES[0]}`, description: 'The canonical base.' }],
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    tags: [
      { name: 'Automations', description: 'What is on sale.' },
      { name: 'Categories', description: 'The categories of the marketplace.' },
    ],
    paths: acceptedBy(schemes, paths(currency, search)),
    components: {
      schemas: withNames({
        Automation: automationSchema(currency),
        AutomationSummary: automationSummarySchema(currency),
        AutomationList: automationListSchema(ref('schemas', 'AutomationSummary')),
        Category: categorySchema,
        CategoryList: categoryListSchema(ref('schemas', 'Category')),
        CreateAutomation: createAutomationSchema(currency),
        FieldError: fieldErrorSchema,
        Problem: problemSchema(ref('schemas', 'FieldError')),
        ...NESTED_SCHEMAS,
      }),
      parameters: parameters(currency, search),
      headers,
      responses: responses(currency, problemBase),
      securitySchemes: schemes,
    },
  };
}

const WORDS = `
## Words
\`q\` finds automations that have each of its words in title or description. Case and accents do not matter, nor do
letters and digits that people type as others: "facture" finds "Facturé", "lodz" finds "Łódź", "24" finds "۲۴". A word
is an unbroken run of letters and digits, so "e-mail" is two words; "c#", "c++" and "f#" are words. Only the last word
may be the beginning of a word: "sort inv" finds "Sort invoices". Chinese, Japanese, Thai, Lao, Khmer and Burmese put no
blanks between words, so characters in a row are found as they are, also inside a longer row: "上海" finds "去上海", not
"海上". There is no stemming, and no ranking but \`sort=best\`. A title that is pasted finds itself: of more than 16
words, the 16 longest count.
`;

/** Markdown, in which a single line break is a space. */
function description(currency: Currency, search: boolean): string {
  const others = BASES.slice(1)
    .map((base) => `\`${base}\``)
    .join(', ');
  return `A marketplace for automations. The responses are JSON. They are the same below \`${BASES[0]}\` and below
${others}; \`Location\` and \`Link\` keep the base of the request. Paths are exact: no trailing slash, and case
matters. Every GET can be a HEAD, which returns the same headers without a body. OPTIONS returns 204 and lists in
\`Allow\` the methods of a path; it needs a key, but no scope. There are no CORS headers: keys do not belong in
browsers.

## Automations
A create adds an automation. It can be withdrawn; then it behaves as if it had never existed.

## Texts
The service trims both ends of a text (white space, U+FEFF, U+00AD, U+200E, U+200F, U+061C) and otherwise stores and
returns it verbatim. Lengths count Unicode code points after trimming. A title is one line; a description may contain
line feeds and tabs, but no carriage returns. Control characters, bidirectional controls (but U+200E, U+200F and
U+061C), lone surrogates, noncharacters of the first plane, runs of more than 30 combining marks, and texts without any
visible character are rejected. So are characters that never show: tags outside of a flag emoji, invisible operators,
variation selectors that vary nothing, and runs of more than 4 joiners and the like. The answer names the character and
what stands before it. Emoji, right-to-left scripts and HTML are ordinary text.

## Prices
A price is a JSON number in major units of ${currency}, from 0 to ${highestPrice(currency).toLocaleString('en-US')},
with at most ${decimalsOf(currency)} decimals. It is stored as an integer number of minor units, so it comes back
exactly as it was sent. The marketplace has one currency, which is never sent in a request.

## Files
An automation that costs nothing may have a file: it is sent as text or in base64, and given away as it is stored. The
ending of its name decides the media type. From workflows of n8n names and ids of credentials, ids of webhooks and
sample data are removed, and \`removed\` in the response says what. A developer may send 20 bodies above 64 KiB a
minute.

## Lists
Automations are listed newest first: the reverse of the order in which they were stored. A parameter that is unknown,
repeated, empty, malformed or out of range is rejected with \`invalid-query\`. Values are never clamped: a client that
asked for 1000 items and got 100 would skip 900. All parameters combine, and \`total\` is exact.
${search ? WORDS : ''}
## Errors
Every error of the API is a problem document (RFC 9457). Its \`code\` is for programs, its
\`type\` is the address of an explanation, \`instance\` is the id of the request, and \`errors\` lists all mistakes at
once, at most 20. A known path returns 405 with \`Allow\` for a method that it does not take; an unknown path returns
401 without a valid key, and 404 with one.

## Retrying a create
Send an \`Idempotency-Key\` and repeat the request, with the same key and the same content, until there is a response:
it is the first automation again, with \`Idempotent-Replayed: true\`. Other content returns 422. A key belongs to one
developer, is the same under every base, and is kept for 24 hours. Responses with status 400 or above are not kept, so
a corrected request may use its key again. If the automation was withdrawn meanwhile, a repeated request still returns
201 with its last content, since the create was a success, but its \`Location\` returns 404.

## Caching
Every 200 has a strong \`ETag\`. Send it as \`If-None-Match\`; the response is 304 as long as nothing has changed.
With \`If-Match\`, the response is 412 unless one of its entity tags is the current one.

## Limits
A developer has a quota of reads and one of creates per minute, over all keys and tokens; an address has one of failed
authentications. Where requests are limited, every response to a valid key states in \`RateLimit\` how many are left. A
request above the quota returns 429 with a true \`Retry-After\`. A 304 costs nothing.

## Versions
This version only grows, by new optional parameters and new members: ignore those that you do not know. A breaking
change gets a new base, and the old one carries \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) 24 months
ahead.`;
}
