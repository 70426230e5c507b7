import { HTML_TYPE, JSON_TYPE, send } from '../send.js';
import { openApiDocument, type OpenApiOptions } from '../openapi/document.js';
import { REQUEST_ID } from '../openapi/examples.js';
import { PROBLEMS, problemExample, SLUGS } from '../problems/catalogue.js';
import type { PageAssets } from '../views/assets.js';
import { DOCUMENT_TEXTS } from '../views/texts.js';
import type { Render } from '../views/views.js';
import { servesContent, servesFile, servesText } from './content.js';
import { METADATA_PATH, resourceMetadata } from './resource-metadata.js';
import { sendRobots } from './robots.js';
import type { Routes } from '../middleware/read-only.js';

const TEXT = 'text/plain; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');
export const PAGE_HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' };

interface Pages {
  readonly render: Render;
  /** The public path of the service. */
  readonly at: string;
  readonly assets: PageAssets;
  readonly isCataloguePublic: boolean;
}

/** The documentation, the explanations of problems, and what browsers and crawlers ask every host for. */
export function documentRoutes(options: OpenApiOptions, { render, at, assets, isCataloguePublic }: Pages): Routes {
  const page = (make: () => string) => servesText(HTML_TYPE, make, PAGE_HEADERS);
  const { accessTokens } = options;
  return {
    '/': async (ctx) => {
      const start = isCataloguePublic ? '/catalogue' : '/docs';
      const location = `${options.publicUrl ?? ''}${options.mountPath ?? ''}${start}`;
      ctx.set('Location', location);
      send(ctx, TEXT, `See ${location}`, 303);
    },
    '/openapi.json': servesText(JSON_TYPE, () => JSON.stringify(openApiDocument(options))),
    '/docs': page(() => render('docs', { title: DOCUMENT_TEXTS.docs, current: 'docs' })),
    '/docs/docs.css': servesFile(STYLE, 'docs.css'),
    '/docs/docs.js': servesFile(SCRIPT, 'docs.js'),
    '/docs/swagger-ui.css': servesFile(STYLE, 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': servesFile(SCRIPT, 'swagger-ui-bundle.js'),
    '/favicon.ico': servesContent(assets.logo),
    ...assets.routes(),
    '/robots.txt': async (ctx) => sendRobots(ctx, options.publicUrl ?? '', isCataloguePublic),
    '/problems': page(() => render('problems', { title: DOCUMENT_TEXTS.problems, problems: Object.entries(PROBLEMS) })),
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
