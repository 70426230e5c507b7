import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
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
import { notFound, routing, type Resource } from './routes.js';
import type { Listener, Panel, PanelOptions, Render, Visit } from './visit.js';

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

/** The developer panel: pages for people with a browser, all at `/panel` or below. */
export interface DeveloperPanel {
  readonly answer: Listener;
  /** Responds in place of `answer` while the service is overloaded: 503 with `Retry-After`. */
  readonly busy: Listener;
}

export function createPanel(options: PanelOptions): DeveloperPanel {
  const settings = { ...DEFAULTS, ...options };
  const at = `${pathOf(settings.publicUrl)}/panel`;
  const assets = new Assets(at);
  const panel: Panel = { ...settings, at, render: templates(at, assets) };
  const app = new Koa<Visit>();
  app.use(answers(panel));
  app.use(errorPages(panel));
  app.use(routing(resources(panel, assets)).routes());
  app.use(notFound);
  app.on('error', lateFailures(panel));
  return { answer: app.callback(), busy: busyPages(panel) };
}

function pathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

function templates(at: string, assets: Assets): Render {
  const views = fileURLToPath(new URL('./templates/', import.meta.url));
  const eta = new Eta({ views, cache: true, autoTrim: ['nl', false] });
  const shared = {
    at,
    style: assets.addressOf('panel.css'),
    script: assets.addressOf('panel.js'),
    mark: assets.addressOf('mark.svg'),
  };
  return (template, data) => eta.render(template, { ...shared, ...data });
}

/** Returns the pages, by path below `/panel`. */
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
