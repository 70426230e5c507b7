/**
 * Goes the whole way in a real n8n, by hand, since an n8n takes 3 GB: starts the marketplace and n8n, finds automations
 * on n8n's page of templates in Chromium, puts them on the canvas, and prints what the editor asked of the library.
 *
 *     npm i --ignore-scripts --prefix N8N n8n@2.41.1 node@24 node-gyp
 *     (cd N8N/node_modules/sqlite3 && PATH=../node/bin:$PATH npx node-gyp rebuild)
 *     node dist/test/e2e/hosts/real-n8n.js N8N PICTURES
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { selectors, type BrowserContext, type Page } from 'playwright-core';
import { TestBrowser } from '../../support/browser.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';

const [n8nFolder = '', pictures = ''] = process.argv.slice(2).map((path) => resolve(path));
if (pictures === '') throw new Error('say the folder of n8n and that of pictures');
mkdirSync(pictures, { recursive: true });

const SAMPLES = fileURLToPath(new URL('../../../../test/integration/file-inspection/samples', import.meta.url));
const OWNER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Example', password: 'A-long-password-1' };
/** One whose name has a character of queries. */
const SALES = 'CRM & Sales';
const [N8N_PORT, PORT] = [5680, 5690];
const N8N = `http://127.0.0.1:${N8N_PORT}`;
/** The same n8n, by a name that the marketplace does not know. */
const OTHER_ORIGIN = N8N.replace('127.0.0.1', 'localhost');
const MARKET = `http://127.0.0.1:${PORT}`;

interface Published {
  readonly id: string;
  readonly title: string;
  readonly nodes: number;
}

selectors.setTestIdAttribute('data-test-id');

let failed = 0;
/** Says whether something is as it must be. */
function check(what: string, isSo: boolean, seen: unknown = ''): void {
  if (!isSo) failed++;
  console.log(`${isSo ? 'ok  ' : 'FAIL'} ${what}${seen === '' ? '' : `: ${JSON.stringify(seen)}`}`);
}

/** Publishes the samples, and says which nodes each has. */
async function publish(key: string): Promise<readonly Published[]> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const categories = (await (await fetch(`${MARKET}/api/categories`, { headers })).json()) as {
    data: { id: string; name: string }[];
  };
  const sales = categories.data.find(({ name }) => name === SALES);
  const [other] = categories.data.filter((category) => category !== sales);
  const published: Published[] = [];
  for (const [index, name] of readdirSync(SAMPLES)
    .filter((one) => one.endsWith('.json'))
    .entries()) {
    const text = readFileSync(join(SAMPLES, name), 'utf8');
    const workflow = JSON.parse(text) as { readonly name?: string; readonly nodes: readonly unknown[] };
    const body = JSON.stringify({
      title: workflow.name ?? name.slice(0, -5).replaceAll('-', ' '),
      description: `${workflow.nodes.length} steps, ready to take.`,
      price: 0,
      category_id: (index % 3 === 0 ? sales : other)?.id,
      file: { name, text },
    });
    const answer = await fetch(`${MARKET}/api/automations`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
    const { id, title } = (await answer.json()) as Published;
    published.push({ id, title, nodes: workflow.nodes.length });
  }
  return published;
}

/** Starts n8n with a library of templates, and waits until it answers. */
async function startN8n(folder: string, library: string): Promise<ChildProcess> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(N8N_PORT),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_TEMPLATES_HOST: library,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_SECURE_COOKIE: 'false',
    N8N_RUNNERS_ENABLED: 'false',
  };
  const child = spawn(
    join(n8nFolder, 'node_modules/node/bin/node'),
    [join(n8nFolder, 'node_modules/n8n/bin/n8n'), 'start'],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  child.stdout.resume();
  for (let tries = 0; tries < 240; tries++) {
    if (child.exitCode !== null) throw new Error(`n8n has ended: ${child.exitCode}`);
    const answer = await fetch(`${N8N}/healthz/readiness`).catch(() => undefined);
    if (answer?.ok === true) return child;
    await sleep(500);
  }
  throw new Error('n8n does not answer');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill();
  await ended;
}

/** Opens a profile of somebody who is signed in to n8n, and records what is asked of the library. */
async function signedIn(
  browser: TestBrowser,
  asked: string[] = [],
  blocked: string[] = [],
  n8n = N8N,
): Promise<BrowserContext> {
  const context = await browser.profile({ viewport: { width: 1280, height: 900 } });
  context.on('request', (request) => {
    if (request.url().startsWith(MARKET)) asked.push(`${request.method()} ${request.url().slice(MARKET.length)}`);
  });
  context.on('requestfailed', (request) => {
    if (request.url().startsWith(MARKET)) blocked.push(`${request.url()} ${request.failure()?.errorText}`);
  });
  const setUp = await context.request.post(`${n8n}/rest/owner/setup`, { data: OWNER });
  if (!setUp.ok()) {
    const data = { emailOrLdapLoginId: OWNER.email, password: OWNER.password };
    await context.request.post(`${n8n}/rest/login`, { data });
  }
  return context;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Counts what is on the canvas, sticky notes included. */
async function nodesOn(page: Page): Promise<number> {
  const nodes = page.getByTestId('canvas').locator('.vue-flow__node');
  await nodes.first().waitFor();
  await page.waitForLoadState('networkidle');
  return nodes.count();
}

/** Opens the templates, searches, takes a category, looks at one, and puts it on the canvas. */
async function findAndUse(page: Page, one: Published): Promise<void> {
  await page.goto(`${N8N}/templates`);
  await page.getByText(`Workflows (${published.length})`).waitFor();
  await picture(page, 'templates');
  await page.getByTestId('template-filter-crm-&-sales').click();
  const ofSales = Math.ceil(published.length / 3);
  await page.getByText(`Workflows (${ofSales})`).waitFor();
  const shown = await page.getByTestId('template-card').count();
  check('a category narrows the list', shown === ofSales, shown);
  await page.getByTestId('template-filter-all-categories').click();
  await page.getByTestId('template-search-input').fill(one.title);
  await page.getByText('Workflows (1)').waitFor();
  await page.getByTestId('template-card').click();
  const preview = await nodesOn(page);
  check('the page of a template shows its nodes', preview === one.nodes, preview);
  await picture(page, 'template');
  await page.getByTestId('use-template-button').click();
  await page.waitForURL(/\/workflow|\/setup/);
  if (page.url().endsWith('/setup')) await page.getByText('Skip').click();
  const imported = await nodesOn(page);
  check('a click and a skipped form on, its nodes are on the canvas', imported === one.nodes, imported);
  // The nodes fade in.
  await sleep(2_000);
  await picture(page, 'canvas');
}

const folder = mkdtempSync(join(tmpdir(), 'n8n-'));
const browser = new TestBrowser();
const place = await Workplace.open({ PORT: String(PORT), PUBLIC_URL: MARKET, N8N_URLS: N8N, CATALOGUE: 'public' });
let market: ServiceProcess = await place.serve();
const key = market.firstKey;
const published = await publish(key);
const [, one, another] = published as readonly [Published, Published, Published];
console.log(`${published.length} automations`);
await browser.open();
try {
  const [asked, blocked]: [string[], string[]] = [[], []];
  let n8n = await startN8n(folder, `${MARKET}/n8n`);
  try {
    const page = await (await signedIn(browser, asked, blocked)).newPage();
    await findAndUse(page, one);
    await page.goto(`${N8N}/workflows/templates/${another.id}`);
    const imported = await nodesOn(page);
    check('the address of a template puts it on the canvas at once', imported === another.nodes, imported);
    await picture(page, 'by-address');
    check('the rules of the browser stopped nothing', blocked.length === 0, blocked);
    console.log(`the editor asked:\n${[...new Set(asked)].join('\n')}`);

    const foreign = await (await signedIn(browser, [], blocked, OTHER_ORIGIN)).newPage();
    await foreign.goto(`${OTHER_ORIGIN}/templates`);
    await foreign.waitForLoadState('networkidle');
    const cards = await foreign.getByTestId('template-card').count();
    check('another origin gets nothing', blocked.length > 0 && cards === 0, blocked[0]);
    await picture(foreign, 'other-origin');
  } finally {
    await stop(n8n);
  }

  await market.stop();
  market = await place.serve({ CATALOGUE: 'members' });
  const library = await place.run(['keys', 'issue', '--developer', 'operator', '--scopes', 'library:read']);
  const libraryKey = /amk_\w+/.exec(library.stdout)?.[0] ?? '';
  for (const [name, path, total] of [
    ['with a key in its path a library shows what the catalogue keeps for members', `/${libraryKey}`, published.length],
    ['without one it is empty', '', 0],
    ['with a key of other scopes it is empty', `/${key}`, 0],
  ] as const) {
    n8n = await startN8n(folder, `${MARKET}/n8n${path}`);
    try {
      const page = await (await signedIn(browser)).newPage();
      await page.goto(`${N8N}/templates`);
      await page.getByTestId('template-search-input').first().waitFor();
      await page.waitForLoadState('networkidle');
      const cards = await page.getByTestId('template-card').count();
      check(name, cards === total, cards);
      if (total > 0) await findAndUse(page, another);
      else await picture(page, `empty${path.length}`);
    } finally {
      await stop(n8n);
    }
  }
} finally {
  await browser.close();
  await market.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
