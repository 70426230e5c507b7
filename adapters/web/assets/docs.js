const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** "Try it out" would fill every optional parameter with its example, and so filter and page without being asked to. */
const withoutExamples = (update) => (spec) => {
  for (const parameter of Object.values(spec?.components?.parameters ?? {}))
    if (!parameter.required) delete parameter.examples;
  return update(spec);
};

/** Asks only the service itself, and forgets keys and tokens with the page. */
const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  validatorUrl: null,
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', location.href).href,
  persistAuthorization: false,
  queryConfigEnabled: false,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [() => ({ statePlugins: { spec: { wrapActions: { updateJsonSpec: withoutExamples } } } })],
});
ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true });
