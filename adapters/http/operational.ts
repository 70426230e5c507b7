import Router from '@koa/router';
import Koa from 'koa';
import { answerContent, answerWith, JSON_TYPE } from './conditional.js';
import { lateFailures, nothingHere, problemDocuments } from './errors.js';
import type { Exchange, Handler, OnAnswer } from './exchange.js';
import { answers } from './answers.js';
import { answerOtherMethod } from './methods.js';
import { serveMetrics, type MetricsPage } from './metrics-page.js';
import { openApiDocument, type OpenApiOptions } from './openapi/document.js';
import { asset, made, type Source } from './pages/content.js';
import { DOCS_POLICY, docsPage, docsScript, docsStyle } from './pages/docs-page.js';
import { problemIndex, problemPage, problemPolicy, SLUGS } from './pages/problem-pages.js';
import { Problem } from './problems.js';
import { replies } from './reply.js';
import { METADATA_PATH, resourceMetadata } from './resource-metadata.js';
import { wireChecks } from './wire.js';

interface OperationalOptions extends OpenApiOptions {
  /** Whether requests can be served now; a rejection counts as no. */
  readonly ready: () => Promise<boolean>;
  /** As in `HttpOptions`. */
  readonly onError?: (error: unknown, requestId: string) => void;
  readonly onAnswer?: OnAnswer;
  /** Without it there is no `/metrics`. */
  readonly metrics?: MetricsPage;
}

type Routes = Readonly<Record<string, Handler>>;

const ALLOW = 'GET, HEAD, OPTIONS';
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** What stands outside the bases of the API, open to everybody: health, documentation, explanations of problems. */
export function createOperationalApp(options: OperationalOptions): Koa<Exchange> {
  const { mountPath = '', onError = () => undefined, onAnswer = () => undefined, metrics } = options;
  const routes = { ...health(options.ready), ...documentation(options), ...problems(mountPath), ...authorization(options) };
  const app = new Koa<Exchange>();
  app.use(answers(onAnswer));
  app.use(replies());
  app.use(problemDocuments({ mountPath, resourceMetadata: '', onError }));
  app.use(wireChecks());
  app.use(router({ ...routes, ...(metrics && { '/metrics': serveMetrics(metrics) }) }).routes());
  app.use(nothingHere);
  app.on('error', lateFailures(onError));
  return app;
}

function router(routes: Routes): Router<Exchange> {
  const found = new Router<Exchange>({ strict: true, sensitive: true });
  for (const [path, handler] of Object.entries(routes)) found.all(path, readOnly(path, handler));
  return found;
}

function readOnly(path: string, handler: Handler): Handler {
  return async (ctx) => {
    ctx.state.route = path;
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return handler(ctx);
    answerOtherMethod(ctx, ALLOW);
  };
}

/** Alive is who answers at all; ready is who can also reach its storage. */
function health(ready: () => Promise<boolean>): Routes {
  return {
    '/livez': async (ctx) => {
      answerWith(ctx, { type: JSON_TYPE, body: '{"status":"alive"}' });
    },
    '/readyz': async (ctx) => {
      if (!(await isReady(ready))) throw new Problem('unavailable', 'The service is not ready.');
      answerWith(ctx, { type: JSON_TYPE, body: '{"status":"ready"}' });
    },
  };
}

async function isReady(ready: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ready();
  } catch {
    return false;
  }
}

function documentation(options: OpenApiOptions): Routes {
  return {
    '/': async (ctx) => {
      ctx.state.reply.status = 303;
      ctx.state.reply.headers['Location'] = `${options.publicUrl ?? ''}${options.mountPath ?? ''}/docs`;
    },
    '/openapi.json': serve(made(JSON_TYPE, () => JSON.stringify(openApiDocument(options)))),
    '/docs': serve(made(HTML, () => docsPage), DOCS_POLICY),
    '/docs/page.css': serve(made(STYLE, () => docsStyle)),
    '/docs/initializer.js': serve(made(SCRIPT, () => docsScript)),
    '/docs/swagger-ui.css': serve(asset(STYLE, 'swagger-ui.css')),
    '/docs/swagger-ui-bundle.js': serve(asset(SCRIPT, 'swagger-ui-bundle.js')),
  };
}

function problems(mountPath: string): Routes {
  const policy = problemPolicy();
  const pages = SLUGS.map((slug): [string, Handler] => [
    `/problems/${slug}`,
    serve(made(HTML, () => problemPage(slug, mountPath)), policy),
  ]);
  return { '/problems': serve(made(HTML, problemIndex), policy), ...Object.fromEntries(pages) };
}

/** Only where an issuer's access tokens are taken. */
function authorization({ accessTokens }: OpenApiOptions): Routes {
  if (accessTokens === undefined) return {};
  return { [METADATA_PATH]: serve(made(JSON_TYPE, () => JSON.stringify(resourceMetadata(accessTokens)))) };
}

function serve(source: Source, policy?: string): Handler {
  return async (ctx) => {
    const content = await source();
    const { headers } = ctx.state.reply;
    headers['Referrer-Policy'] = 'no-referrer';
    if (policy !== undefined) headers['Content-Security-Policy'] = policy;
    answerContent(ctx, content);
  };
}
