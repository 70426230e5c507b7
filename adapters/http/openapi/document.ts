import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { highestPrice } from '../../../domain/price.js';
import { headers } from './headers.js';
import type { OpenApiDocument } from './model.js';
import { paths } from './operations.js';
import { parameters } from './parameters.js';
import { responses } from './responses.js';
import { acceptedBy, securitySchemes } from './security.js';
import {
  automationListSchema,
  automationSchema,
  categoryListSchema,
  createAutomationSchema,
  problemSchema,
} from '../schemas.js';
import type { AccessTokens } from '../resource-metadata.js';
import { BASES } from '../target.js';

export type { OpenApiDocument } from './model.js';

export interface OpenApiOptions {
  readonly currency: Currency;
  /** Of the program. */
  readonly version: string;
  /** As in `HttpOptions`. */
  readonly mountPath?: string;
  readonly publicUrl?: string;
  /** Where an issuer's access tokens are taken beside keys. */
  readonly accessTokens?: AccessTokens;
}

/** The wire contract as an OpenAPI 3.1 document, made of the very schemas by which requests are validated. */
export function openApiDocument({ currency, version, mountPath = '', publicUrl = '', accessTokens }: OpenApiOptions): OpenApiDocument {
  const schemes = securitySchemes(accessTokens);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Automation Marketplace API',
      version,
      summary: 'List, read and offer automations.',
      description: description(currency),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: BASES.map((base, i) => ({
      url: `${publicUrl}${mountPath}${base}`,
      description: i === 0 ? 'The canonical base.' : `The same as ${BASES[0]}, byte for byte.`,
    })),
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    tags: [
      { name: 'Automations', description: 'What is on sale.' },
      { name: 'Categories', description: 'The shelves of the marketplace.' },
    ],
    paths: acceptedBy(schemes, paths(currency)),
    components: {
      schemas: {
        Automation: automationSchema(currency),
        AutomationList: automationListSchema(currency),
        CategoryList: categoryListSchema,
        CreateAutomation: createAutomationSchema(currency),
        Problem: problemSchema,
      },
      parameters: parameters(currency),
      headers,
      responses: responses(currency, mountPath),
      securitySchemes: schemes,
    },
  };
}

function description(currency: Currency): string {
  return `A marketplace for automations. The answers are JSON, and the same under each of the ${BASES.length} bases; \`Location\` and \`Link\` keep the base of the request. Paths are exact: no trailing slash, and upper case is not lower case.

## Automations
An automation never changes. It appears by a create and can be withdrawn; then it is as if it had never been. A mistake is withdrawn and offered anew.

## Texts
Texts are stored and returned as they came, apart from white space at the ends, which is trimmed. Lengths count Unicode code points after that. A title is one line; a description may have line feeds and tabs, but no carriage returns. Refused are control characters, bidirectional controls, lone surrogates, noncharacters, and a text without one visible character. Emoji, right-to-left scripts and HTML are ordinary text.

## Prices
A price is a JSON number of major units of ${currency}, from 0 to ${highestPrice(currency).toLocaleString('en-US')}, with at most ${decimalsOf(currency)} decimals. It is kept as an integer number of minor units, so it comes back exactly as it was sent. The currency is one for the whole marketplace and is never sent in a request.

## Lists
Automations come newest first: the reverse of the order in which they were stored. A parameter that is unknown, repeated, empty, malformed or out of range is refused with \`invalid-query\`. Nothing is clamped: who asks for 1000 a page and got 100 would skip 900.

## Errors
Every answer from 400 up is a problem document (RFC 9457). Its \`type\` is the address of an explanation, \`instance\` the id of the request, and \`errors\` lists all mistakes at once, at most 20. A known path answers 405 with \`Allow\` to a method that it does not take; an unknown path answers 401 without a valid key, and 404 with one.

## Retrying a create
Send an \`Idempotency-Key\` and repeat the request, same key and same content, until it is answered: the first automation comes again, with \`Idempotent-Replayed: true\`. Other content is 422. A key belongs to one developer, is the same under every base, and is kept for 24 hours. Answers from 400 up are not kept, so a mended request may use its key again.

## Caching
Every 200 has a strong \`ETag\`. Send it as \`If-None-Match\`; the answer is 304 as long as nothing has changed.

## Limits
A key has a quota of reads and one of creates in each minute, an address one of failed authentications. Every answer to a valid key says in \`RateLimit\` how many requests are left, where they are limited; one too many is answered by 429 with a \`Retry-After\` that is true. A 304 costs nothing.

## Versions
This version only grows, by new optional parameters and new members: ignore those that you do not know. A breaking change gets a new base, and the old one carries \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) 24 months ahead.`;
}
