/**
 * Takes the pictures for the README, of the catalogue and of an automation with a workflow of n8n:
 * `node dist/test/support/catalogue-picture.js [folder]`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDeveloperId, SCOPES } from '../../application/index.js';
import { fileInspector } from '../../composition/service/file-inspector.js';
import { starterCategories } from '../../composition/service/starter-categories.js';
import { CORE, MARKETPLACE } from '../../composition/tokens.js';
import { TestBrowser } from './browser.js';
import { overMemory } from './repositories.js';
import { startService } from './service.js';
import { signedIn } from './signed-in.js';

const FOLDER = process.argv[2] ?? 'docs';
const VIEWPORT = { width: 1200, height: 800 };
const SAMPLE = 'test/integration/file-inspection/samples/telegram-ai-support-bot-with-conversation-me.json';
const TEXT = `Answers who writes to your bot, and remembers the conversation.

1. Choose your credentials of Telegram and of the model.
2. Write into the system prompt what your company does.
3. Activate it.`;

/** Title, price, category and the beginning of the description, the oldest first. */
const SHELF: readonly (readonly [seller: string, title: string, price: number, category: string, text: string])[] = [
  [
    'ada',
    'Back up every database at night',
    15,
    'data-processing',
    'Dumps, encrypts and uploads, and tells you only when it failed.',
  ],
  [
    'grace',
    'Answer common questions in chat',
    29,
    'communication',
    'Drafts an answer from your handbook. You press send.',
  ],
  [
    'linus',
    'Release notes from merged changes',
    0,
    'devops',
    'Groups what was merged since the last tag, and opens a draft.',
  ],
  [
    'ada',
    'Invoices into the ledger',
    12.5,
    'financial',
    'Reads PDF invoices from a mailbox, and books them after your approval.',
  ],
  [
    'grace',
    'Weekly report of your campaigns',
    9,
    'marketing',
    'Costs and clicks of each campaign, every Monday at eight.',
  ],
  ['linus', 'Remind the team of open reviews', 0, 'devops', 'One message a day, with what waits the longest on top.'],
  ['ada', 'Sort my inbox', 9.99, 'communication', 'Labels what matters, and archives newsletters after a week.'],
  ['grace', 'New customers into the CRM', 19, 'sales', 'From form, e-mail or chat; duplicates are merged.'],
];
const NAMES = { ada: 'Ada’s automations', grace: 'Grace’s workshop', linus: 'Night shift' };

const browser = new TestBrowser();
await browser.open();
const service = await startService({
  repositories: overMemory(),
  categories: starterCategories(),
  fileInspector,
  settings: { CATALOGUE: 'public', N8N_URLS: 'https://n8n.example' },
});
const [core, marketplace] = [service.container.get(CORE), service.container.get(MARKETPLACE)];
const caller = (name: string) => ({ developerId: parseDeveloperId(name), scopes: SCOPES });
const categories = await marketplace.listCategories(caller('ada'));
for (const [name, publicName] of Object.entries(NAMES))
  await core.profiles.change(signedIn(caller(name)), { publicName, website: undefined });
for (const [seller, title, price, category, description] of SHELF) {
  const categoryId = categories.find(({ id }) => id.includes(category))?.id ?? categories[0]?.id ?? '';
  await marketplace.createAutomation(caller(seller), { title, price, categoryId, description });
}
const page = await (await browser.profile({ viewport: VIEWPORT })).newPage();
await page.goto(`${service.url}/catalogue`);
await page.screenshot({ path: join(FOLDER, 'catalogue.png') });
const { id } = await marketplace.createAutomation(caller('ada'), {
  title: 'Answer customers on Telegram',
  description: TEXT,
  price: 0,
  categoryId: categories.find((one) => one.id.includes('ai-agent'))?.id ?? '',
  license: 'MIT',
  file: { name: 'telegram-bot.json', bytes: readFileSync(SAMPLE) },
});
await page.goto(`${service.url}/catalogue/${id}`);
await page.screenshot({ path: join(FOLDER, 'automation.png') });
await service.close();
await browser.close();
