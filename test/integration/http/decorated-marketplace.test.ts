import { expect } from 'chai';
import { OPERATOR, parseDeveloperId, requestKey, SCOPES, type UseCases } from '../../../application/index.js';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { decorated } from '../../../adapters/storage/decorated.js';
import { CORE, MARKETPLACE } from '../../../composition/tokens.js';
import { Visitor } from '../../support/panel-visitor.js';
import { startService, type LocalService } from '../../support/service.js';
import { callMessage, post } from '../mcp/agent.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const FILE = { name: 'a.txt', bytes: Buffer.from('Notes.') };
const DRAFT = { title: 'One', description: 'Two', price: 0, categoryId: 'communication', file: FILE };
const BODY = { title: 'One', description: 'Two', price: 3, category_id: 'communication' };
const FORM = { title: 'One', description: 'Two', price: '0', categoryId: 'communication' };

type Method = Exclude<keyof UseCases['marketplace'], 'currency'>;

/** What a service has at hand: an automation of ada, and ada in the panel. */
interface Scene {
  readonly service: LocalService;
  readonly id: string;
  readonly ada: Visitor;
}

const api = async ({ service }: Scene, path: string, body?: object) =>
  fetch(`${service.url}/api${path}`, {
    headers: { Authorization: `Bearer ${await service.key()}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
const tool = async ({ service }: Scene, name: string, sent: Record<string, unknown>) =>
  post(`${service.url}/mcp`, await service.key(), callMessage(name, sent));
const submit = ({ ada }: Scene, path: string, fields: Readonly<Record<string, string>>) =>
  ada.submit(`/panel/automations/${path}`, fields);
const transfer = ({ service }: Scene) => service.container.get(CORE).transfer;

/** The ways to each method. */
const WAYS: Readonly<Record<Method, Readonly<Record<string, (scene: Scene) => Promise<unknown>>>>> = {
  listAutomations: { 'the API': (scene) => api(scene, '/automations') },
  reviewListRequest: { 'the API': (scene) => api(scene, '/automations?limit=none') },
  readAutomation: { 'the API': (scene) => api(scene, `/automations/${scene.id}`) },
  readFile: { 'the tools for agents': (scene) => tool(scene, 'get_automation_file', { id: scene.id }) },
  createAutomation: {
    'the core': ({ service }) => service.container.get(CORE).marketplace.createAutomation(ADA, DRAFT),
  },
  createAutomationOnce: {
    'the API': (scene) => api(scene, '/automations', BODY),
    'the panel': (scene) => submit(scene, 'new', FORM),
  },
  createAutomationsOnce: {
    'an import': (scene) =>
      transfer(scene).import(OPERATOR, { developer: 'ada' }, (session) =>
        session.createBatch([{ draft: DRAFT, key: requestKey('one') }]),
      ),
  },
  reviewAutomation: {
    'the API': (scene) => api(scene, '/automations', { ...BODY, unknown: 1 }),
    'the panel': (scene) => submit(scene, 'new', { ...FORM, step: 'preview' }),
    'an import': (scene) => transfer(scene).import(OPERATOR, { developer: 'ada' }, (session) => session.review(DRAFT)),
  },
  prepareImports: {
    'an import': (scene) => transfer(scene).import(OPERATOR, {}, (session) => session.importBatch([DRAFT])),
  },
  reviseAutomation: { 'the panel': (scene) => submit(scene, `${scene.id}/revise`, { ...FORM, title: 'Other' }) },
  withdrawAutomation: { 'the panel': (scene) => submit(scene, `${scene.id}/withdraw`, {}) },
  listCategories: {
    'the API': (scene) => api(scene, '/categories'),
    'the panel': ({ ada }) => ada.open('/panel/automations/new'),
  },
};

describe('A decorator that a host puts around the marketplace', () => {
  const calls: string[] = [];
  let scene: Scene;

  beforeEach(async () => {
    const service = await startService({
      fileInspector: new TableFileInspector(),
      rebind: (container) =>
        container.onActivation(MARKETPLACE, (_context, marketplace) =>
          decorated(marketplace, {}, (name, run) => {
            calls.push(name);
            return run();
          }),
        ),
    });
    const { id } = await service.marketplace.createAutomation(ADA, DRAFT);
    const ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada@example.com');
    scene = { service, id, ada };
    calls.length = 0;
  });
  afterEach(() => scene.service.close());

  for (const [method, ways] of Object.entries(WAYS))
    for (const [way, go] of Object.entries(ways))
      it(`${method} is called through it by ${way}`, async () => {
        await go(scene);
        expect(calls).to.include(method);
      });
});
