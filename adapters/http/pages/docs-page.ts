import { html } from './html.js';

/** Addresses are relative, so that the page works wherever it is mounted. */
export const docsPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Automation Marketplace API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<main id="swagger-ui"></main>
<noscript><p>This page needs a script to show <a href="openapi.json">the OpenAPI document</a>.</p></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/initializer.js"></script>
</body>
</html>
`.text;

/**
 * Asks nobody but the service itself, and forgets the key with the page. "Try it out" would fill every optional parameter with
 * its example, and so filter, page and repeat what nobody asked for; the page goes without these examples.
 */
export const docsScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const withoutExamples = (update) => (spec) => {
  for (const parameter of Object.values(spec?.components?.parameters ?? {}))
    if (!parameter.required) delete parameter.examples;
  return update(spec);
};

SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  validatorUrl: null,
  persistAuthorization: false,
  queryConfigEnabled: false,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [() => ({ statePlugins: { spec: { wrapActions: { updateJsonSpec: withoutExamples } } } })],
});
`;

/** Mends what swagger-ui leaves dark on dark, and too wide for a telephone. */
export const docsStyle = `body { margin: 0; }
noscript { display: block; padding: 2rem; font: 1rem/1.5 system-ui, sans-serif; }
.dark-mode .swagger-ui .header-col, .dark-mode .swagger-ui .examples-select__section-label { color: #e4e6e6; }
@media (max-width: 48rem) {
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .responses-inner { overflow-x: auto; }
}
`;

export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
