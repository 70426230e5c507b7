import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { answers, seeOther } from './answers.js';
import { Assets } from './assets.js';
import { busyPages } from './busy.js';
import { errorPages, lateFailures } from './errors.js';
import { automationPages } from './pages/automations.js';
import { historyPages } from './pages/history.js';
import { keyPages } from './pages/keys.js';
import { publishingPages } from './pages/publish.js';
import { rotationPages } from './pages/rotate.js';
import { signInPages } from './pages/sign-in.js';
import { welcomePages } from './pages/welcome.js';
import { nothingHere, routing, type Resource } from './routes.js';
import { templates } from './templates.js';
import type { Listener, Panel, PanelOptions, Visit } from './visit.js';

export type { Answered, PanelOptions } from './visit.js';

const DEFAULTS = {
  publicUrl: '',
  addressOf: ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
  requestIdOf: () => randomUUID(),
  onError: () => undefined,
  onAnswer: () => undefined,
  onShed: () => undefined,
  now: () => new Date(),
};

/** The developer panel: pages for people with a browser, all of them at `/panel` or below. */
export interface DeveloperPanel {
  readonly answer: Listener;
  /** In place of an answer, while too many ask: 503 with `Retry-After`. */
  readonly busy: Listener;
}

export function createPanel(options: PanelOptions): DeveloperPanel {
  const settings = { ...DEFAULTS, ...options };
  const at = `${settings.publicUrl === '' ? '' : new URL(settings.publicUrl).pathname.replace(/\/$/, '')}/panel`;
  const assets = new Assets(at);
  const shared = { at, style: assets.addressOf('panel.css'), script: assets.addressOf('panel.js'), mark: assets.addressOf('mark.svg') };
  const panel: Panel = { ...settings, at, render: templates(shared) };
  const app = new Koa<Visit>();
  app.use(answers(panel));
  app.use(errorPages(panel));
  app.use(routing(resources(panel, assets)).routes());
  app.use(nothingHere);
  app.on('error', lateFailures(panel));
  return { answer: app.callback(), busy: busyPages(panel) };
}

/** What there is, by the path below `/panel`. */
function resources(panel: Panel, assets: Assets): Readonly<Record<string, Resource>> {
  const files = Object.entries(assets.routes()).map(([path, GET]) => [path, { GET }] as const);
  return {
    '': { GET: async (ctx) => seeOther(ctx, `${panel.at}/keys`) },
    ...Object.fromEntries(files),
    ...signInPages(panel),
    ...welcomePages(panel),
    ...keyPages(panel),
    ...rotationPages(panel),
    ...publishingPages(panel),
    ...automationPages(panel),
    ...historyPages(panel),
  };
}
