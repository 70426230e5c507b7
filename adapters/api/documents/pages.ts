import { openApiDocument, type OpenApiOptions } from '../openapi/document.js';
import { REQUEST_ID } from '../openapi/examples.js';
import { notFound } from '../../edge/middleware/problem-documents.js';
import type { Routes } from '../../edge/middleware/routing.js';
import { PROBLEMS, problemExample, SLUGS } from '../../edge/problems/table.js';
import { OAUTH_ERRORS } from '../../edge/problems/oauth-errors.js';
import { publicPath } from '../../edge/public-url.js';
import { HTML_TYPE, JSON_TYPE } from '../../edge/send.js';
import { DOCUMENT_TEXTS } from '../../web/views/texts.js';
import type { Render } from '../../web/views/views.js';
import { servesText } from '../../web/content.js';
import { DOCUMENT_POLICY } from '../../web/page-policy.js';

/** A window that `/docs` opens for a consent can talk to it only if both have the same policy for openers. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': DOCUMENT_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The OpenAPI document, and the pages to which the types of problems lead. */
export function documentPages(options: OpenApiOptions, render: Render): Routes {
  const page = (make: () => string) => servesText(HTML_TYPE, make, PAGE_HEADERS);
  const problems = Object.entries(PROBLEMS);
  const { accessTokens } = options;
  const hasOwnServer = () => accessTokens?.()?.ownIssuer !== undefined;
  const oauthErrors = { title: DOCUMENT_TEXTS.oauthErrors, errors: Object.entries(OAUTH_ERRORS) };
  const at = publicPath(options.publicUrl ?? '') + (options.mountPath ?? '');
  return {
    '/openapi.json': servesText(JSON_TYPE, () => asciiJson(openApiDocument(options))),
    '/problems': page(() => render('problems', { title: DOCUMENT_TEXTS.problems, problems, hasOAuth: hasOwnServer() })),
    ...(accessTokens && {
      '/problems/oauth': page(() => (hasOwnServer() ? render('oauth-errors', oauthErrors) : notFound())),
    }),
    ...Object.fromEntries(
      SLUGS.map((slug) => {
        const example = JSON.stringify(problemExample(slug, at, REQUEST_ID), undefined, 2);
        const problem = PROBLEMS[slug];
        return [`/problems/${slug}`, page(() => render('problem', { title: problem.title, slug, problem, example }))];
      }),
    ),
  };
}

/** Returns JSON in which every character beyond ASCII is escaped: patterns have some that cannot be seen. */
function asciiJson(value: object): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[^\x20-\x7E]/g, escaped);
}
