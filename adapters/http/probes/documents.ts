import { HTML_TYPE, JSON_TYPE, send } from '../send.js';
import { openApiDocument, type OpenApiOptions } from '../openapi/document.js';
import { REQUEST_ID } from '../openapi/examples.js';
import { PROBLEMS, problemExample, SLUGS } from '../problems/catalogue.js';
import type { Render } from '../views/views.js';
import { servesFile, servesText } from './content.js';
import { METADATA_PATH, resourceMetadata } from './resource-metadata.js';
import type { Routes } from './routes.js';

const TEXT = 'text/plain; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');
export const PAGE_HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' };

const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /v1/\nDisallow: /panel/\n';

/** The documentation, the explanations of problems, and what browsers and crawlers ask every host for. */
export function documentRoutes(options: OpenApiOptions, render: Render, at: string): Routes {
  const page = (make: () => string) => servesText(HTML_TYPE, make, PAGE_HEADERS);
  const { accessTokens } = options;
  return {
    '/': async (ctx) => {
      const location = `${options.publicUrl ?? ''}${options.mountPath ?? ''}/docs`;
      ctx.set('Location', location);
      send(ctx, TEXT, `See ${location}`, 303);
    },
    '/openapi.json': servesText(JSON_TYPE, () => JSON.stringify(openApiDocument(options))),
    '/docs': page(() => render('docs')),
    '/docs/pages.css': servesFile(STYLE, 'pages.css'),
    '/docs/docs.css': servesFile(STYLE, 'docs.css'),
    '/docs/docs.js': servesFile(SCRIPT, 'docs.js'),
    '/docs/swagger-ui.css': servesFile(STYLE, 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': servesFile(SCRIPT, 'swagger-ui-bundle.js'),
    '/favicon.ico': servesFile('image/svg+xml', 'favicon.svg'),
    '/robots.txt': servesText(TEXT, () => ROBOTS),
    '/problems': page(() => render('problems', { title: 'Problems', problems: Object.entries(PROBLEMS) })),
    ...Object.fromEntries(
      SLUGS.map((slug) => {
        const example = JSON.stringify(problemExample(slug, at, REQUEST_ID), undefined, 2);
        const problem = PROBLEMS[slug];
        return [`/problems/${slug}`, page(() => render('problem', { title: problem.title, slug, problem, example }))];
      }),
    ),
    ...(accessTokens && {
      [METADATA_PATH]: servesText(JSON_TYPE, () => JSON.stringify(resourceMetadata(accessTokens))),
    }),
  };
}
