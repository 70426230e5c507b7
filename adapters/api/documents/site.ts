import type { Handler } from '../../edge/context.js';
import { notFound } from '../../edge/middleware/problem-documents.js';
import { publicPath } from '../../edge/public-url.js';
import { JSON_TYPE, send } from '../../edge/send.js';
import { servesContent, servesText } from '../../web/content.js';
import { documentPages } from './pages.js';
import { openApiDocument, type OpenApiOptions } from '../openapi/document.js';
import type { PageAssets } from '../../web/views/assets.js';
import type { Render } from '../../web/views/views.js';
import { docsRoutes } from './docs.js';
import { apiCatalog, CATALOG_PATH, CATALOG_TYPE, llmsText } from './discovery.js';
import { metadataPaths, resourceMetadata, type FindAccessTokens } from './resource-metadata.js';
import { sendRobots } from './robots.js';
import { literally, type Routes } from '../../edge/middleware/routing.js';

const TEXT = 'text/plain; charset=utf-8';

interface Pages {
  readonly render: Render;
  readonly assets: PageAssets;
  /** The visitors for whom there are catalogue pages. */
  readonly catalogue: 'members' | 'public' | 'off';
  readonly panel: boolean;
  /** Returns whose access tokens the tools for agents take. */
  readonly agentTokens?: FindAccessTokens | undefined;
}

/** The documentation, the explanations of problems, and what browsers and crawlers ask every host for. */
export function siteRoutes(options: OpenApiOptions, { render, assets, catalogue, panel, agentTokens }: Pages): Routes {
  const { accessTokens, mountPath = '', publicUrl = '' } = options;
  const at = `${publicUrl}${mountPath}`;
  const base = publicPath(publicUrl) + mountPath;
  return {
    '/': leadsTo(`${at}${catalogue === 'off' ? '/docs' : '/catalogue'}`, 303),
    // Password managers lead there (https://www.w3.org/TR/change-password-url/).
    ...(panel && { '/.well-known/change-password': leadsTo(`${at}/panel/account`, 302) }),
    ...documentPages(options, render),
    ...docsRoutes(render),
    '/favicon.ico': servesContent(assets.logo),
    '/robots.txt': async (ctx) => sendRobots(ctx, publicUrl, catalogue === 'public'),
    '/llms.txt': servesText(TEXT, () => llmsText(openApiDocument(options), at)),
    [CATALOG_PATH]: servesText(CATALOG_TYPE, () => JSON.stringify(apiCatalog(openApiDocument(options), at)), {
      Link: `<${at}${CATALOG_PATH}>; rel="api-catalog"`,
    }),
    ...(accessTokens && metadataRoutes(accessTokens, metadataPaths('api', base))),
    ...(agentTokens && metadataRoutes(agentTokens, metadataPaths('agents', base))),
  };
}

/** Returns the routes of the metadata of a resource, which is not there while no access tokens are taken. */
function metadataRoutes(find: FindAccessTokens, paths: readonly string[]): Routes {
  const answer = servesText(JSON_TYPE, () => JSON.stringify(resourceMetadata(find() ?? notFound())));
  return Object.fromEntries(paths.map((path) => [literally(path), answer]));
}

function leadsTo(location: string, status: number): Handler {
  return async (ctx) => {
    ctx.set('Location', location);
    send(ctx, TEXT, `See ${location}`, status);
  };
}
