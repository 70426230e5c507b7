import type { OpenApiDocument, PathItem } from '../openapi/model.js';
import { metadataPath } from './resource-metadata.js';

export const CATALOG_PATH = '/.well-known/api-catalog';

/** The media type of links as JSON (RFC 9264), with the profile of an API catalog. */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Returns where programs find the API and what describes it (RFC 9727). `at` is the start of every address. */
export function apiCatalog({ info, servers, components }: OpenApiDocument, at: string): object {
  const apis = servers.map(({ url }) => ({ href: url, title: info.title }));
  const links = {
    'service-desc': [{ href: `${at}/openapi.json`, type: 'application/json' }],
    'service-doc': [{ href: `${at}/docs`, type: 'text/html' }],
    ...(takesTokens(components) && {
      'service-meta': [{ href: `${at}${metadataPath('api')}`, type: 'application/json' }],
    }),
    status: [{ href: `${at}/readyz`, type: 'application/json' }],
  };
  return {
    linkset: [{ anchor: `${at}${CATALOG_PATH}`, item: apis }, ...apis.map(({ href }) => ({ anchor: href, ...links }))],
  };
}

/** Returns whether there are credentials in addition to keys, so that the resource has metadata. */
function takesTokens({ securitySchemes }: OpenApiDocument['components']): boolean {
  return Object.keys(securitySchemes).length > 1;
}

/** Returns what a language model needs first, as Markdown (https://llmstxt.org). `at` is as above. */
export function llmsText({ components, info, paths, servers }: OpenApiDocument, at: string): string {
  const schemes = Object.values(components.securitySchemes) as readonly { readonly description: string }[];
  return `# ${info.title}

> ${info.summary}

${firstParagraph(info.description)}

The base is \`${servers[0]?.url}\`. ${schemes.map(({ description }) => description).join(' ')}

## Operations

${Object.entries(paths)
  .flatMap(([path, item]) => operationLines(path, item, at))
  .join('\n')}

## Documentation

- [OpenAPI document](${at}/openapi.json): every parameter, schema and response
- [API documentation](${at}/docs): the same for people
- [Problems](${at}/problems): what each error means, and what to do about it
`;
}

function operationLines(path: string, item: PathItem, at: string): readonly string[] {
  return Object.entries(item).map(([method, { summary }]) => {
    const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`;
    return `- [${method.toUpperCase()} ${path}](${at}/openapi.json#${encodeURI(pointer)}): ${summary}`;
  });
}

function firstParagraph(text: string): string {
  return (text.split('\n\n')[0] ?? '').replaceAll('\n', ' ');
}
