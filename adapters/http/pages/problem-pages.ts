import { createHash } from 'node:crypto';
import { problemExample } from '../openapi/examples.js';
import { PROBLEMS, type ProblemSlug } from '../problems.js';
import { Html, html } from './html.js';
import { ADVICE } from './problem-advice.js';

const STYLE = `:root { color-scheme: light dark; --text: #1c2024; --soft: #5b6470; --ground: #fff; --raised: #f3f5f7; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --soft: #a3adb8; --ground: #14171a; --raised: #20252a; --link: #8ab4f8; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 3rem 1.25rem; max-width: 42rem; color: var(--text); background: var(--ground); font: 1.0625rem/1.6 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: 0.15em; }
h1 { margin: 0.25rem 0 1.5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
p { margin: 0.5rem 0; }
.status, footer { color: var(--soft); }
.status { margin: 0; font-variant-numeric: tabular-nums; }
pre { margin: 0.5rem 0; padding: 1rem; border-radius: 0.5rem; background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere; font: 0.875rem/1.5 ui-monospace, monospace; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1.25rem; margin: 1.5rem 0; }
dt { color: var(--soft); font-variant-numeric: tabular-nums; }
dd { margin: 0; }
footer { margin-top: 3rem; font-size: 0.9375rem; }
`;

/** No script, nothing from elsewhere, and no style but this one. */
export function problemPolicy(): string {
  const style = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${style}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

export const SLUGS = Object.keys(PROBLEMS) as readonly ProblemSlug[];

/** What stands behind the `type` of a problem document. */
export function problemPage(slug: ProblemSlug, mountPath: string): string {
  const { status, title, explanation } = PROBLEMS[slug];
  const example = JSON.stringify(problemExample(slug, mountPath), undefined, 2);
  return page(
    title,
    html`<p class="status">${status} ${slug}</p>
<h1>${title}</h1>
<p>${explanation}</p>
<h2>What to do</h2>
<p>${ADVICE[slug]}</p>
<h2>What it looks like</h2>
<pre tabindex="0">${example}</pre>
<footer><a href="../problems">All problems</a> · <a href="../docs">API documentation</a></footer>`,
  );
}

/** All problems, in the order of their status. */
export function problemIndex(): string {
  const entries = SLUGS.map(
    (slug) => html`<dt>${PROBLEMS[slug].status}</dt><dd><a href="problems/${slug}">${PROBLEMS[slug].title}</a></dd>`,
  );
  return page(
    'Problems',
    html`<h1>Problems</h1>
<p>Every answer from 400 up is a problem document (RFC 9457). Its type is the address of one of these pages.</p>
<dl>
${entries}
</dl>
<footer><a href="docs">API documentation</a></footer>`,
  );
}

function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Automation Marketplace API</title>
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}
