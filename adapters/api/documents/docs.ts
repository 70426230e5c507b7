import type { Handler } from '../../edge/context.js';
import { servesFile, servesText } from '../../web/content.js';
import { PAGE_HEADERS } from './pages.js';
import { notFound } from '../../edge/middleware/problem-documents.js';
import type { Routes } from '../../edge/middleware/routing.js';
import { HTML_TYPE } from '../../edge/send.js';
import { DOCUMENT_TEXTS } from '../../web/views/texts.js';
import type { Render } from '../../web/views/views.js';

const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The page that shows the API, with Swagger UI. Its files are a package of their own, which a host may leave out. */
export function docsRoutes(render: Render): Routes {
  const page = async () => {
    const isInstalled = (await swaggerUi()) !== undefined;
    return render('docs', { title: DOCUMENT_TEXTS.docs, current: 'docs', isInstalled });
  };
  return {
    '/docs': servesText(HTML_TYPE, page, PAGE_HEADERS),
    '/docs/docs.css': servesFile(STYLE_TYPE, 'docs.css'),
    '/docs/docs.js': servesFile(SCRIPT_TYPE, 'docs.js'),
    '/docs/swagger-ui.css': servesSwaggerUi(STYLE_TYPE, 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': servesSwaggerUi(SCRIPT_TYPE, 'swagger-ui-bundle.js'),
    // Where the browser is led back to when an app is tried on the page.
    '/docs/oauth2-redirect.html': servesSwaggerUi(HTML_TYPE, 'oauth2-redirect.html'),
    '/docs/oauth2-redirect.js': servesSwaggerUi(SCRIPT_TYPE, 'oauth2-redirect.js'),
  };
}

function servesSwaggerUi(type: string, name: string): Handler {
  const serve = servesFile(type, name, swaggerUi, type === HTML_TYPE ? PAGE_HEADERS : {});
  return async (ctx) => ((await swaggerUi()) === undefined ? notFound() : serve(ctx));
}

/** Returns the folder with the files of Swagger UI, or undefined where their package is not installed. */
async function swaggerUi(): Promise<URL | undefined> {
  try {
    return (await import('../swagger-ui/index.js')).SWAGGER_UI;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
