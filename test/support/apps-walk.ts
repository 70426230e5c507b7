import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { parseDeveloperId } from '../../application/index.js';
import { CORE } from '../../composition/tokens.js';
import type { Look } from './look.js';
import type { PanelService } from './panel.js';
import { signedIn } from './signed-in.js';
import { listening, type Listening } from './socket.js';

/** Returns the address at which an app of a developer asks a browser, with a redirect address of its own. */
export async function requestOfApp({ url, container }: PanelService, developer: string, redirectUri: string) {
  const by = signedIn({ developerId: parseDeveloperId(developer) });
  const { apps } = container.get(CORE);
  const made = await apps?.register(by, { name: 'Ledger', kind: 'native', redirectUris: [redirectUri] });
  if (made === undefined) throw new Error('there are no apps');
  const query = new URLSearchParams({
    client_id: made.app.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'automations:read automations:write',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `${url}/oauth/auth?${query.toString()}`;
}

/** Starts a program on this machine to which people are led back. It says what it was asked for. */
export function startLoopbackApp(): Promise<Listening> {
  return listening(
    createServer(({ url = '' }, response) => void response.end(`<h1>Back at ${url.split('?')[0]}</h1>`)),
  );
}

/** Goes through every page about apps. */
export async function walkApps(page: Page, service: PanelService, developer: string, look: Look): Promise<void> {
  await registerApp(page, service, look);
  await changeApp(page, service, look);
  await connectApp(page, service, developer, look);
  await disconnectApp(page, service, look);
}

async function registerApp(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.goto(`${url}/panel/apps`);
  await look(page, 'apps-empty');
  await page.getByRole('button', { name: 'Register app' }).click();
  await page.getByText('Choose a kind.').first().waitFor();
  await look(page, 'apps-wrong');
  await page.getByLabel('Name').fill('Nightly import');
  await page.getByLabel('Machine').check();
  await page.getByRole('button', { name: 'Register app' }).click();
  await page.locator('#new-secret').waitFor();
  await look(page, 'new-app');
}

async function changeApp(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await look(page, 'app');
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('heading', { name: 'Make a new secret?' }).waitFor();
  await look(page, 'renew-secret');
  await page.goto(`${url}/panel/apps`);
  await look(page, 'apps');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'Revoke this app?' }).waitFor();
  await look(page, 'revoke-app');
}

async function connectApp(page: Page, service: PanelService, developer: string, look: Look): Promise<void> {
  const { url } = service;
  await page.goto(`${url}/panel/connected`);
  await look(page, 'connected-empty');
  const app = await startLoopbackApp();
  await page.goto(await requestOfApp(service, developer, `${app.url}/back`));
  await page.getByRole('heading', { name: 'Allow this app?' }).waitFor();
  await look(page, 'consent');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back at /back' }).waitFor();
  await app.close();
  await page.goto(`${url}/panel/consent/unknown`);
  await look(page, 'consent-gone');
}

async function disconnectApp(page: Page, { url }: PanelService, look: Look): Promise<void> {
  await page.goto(`${url}/panel/connected`);
  await look(page, 'connected');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('heading', { name: 'Disconnect this app?' }).waitFor();
  await look(page, 'disconnect');
}
