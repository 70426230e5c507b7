import type * as wire from '../../adapters/client/index.js';

const SERVICES = [
  'Gmail',
  'Slack',
  'Google Sheets',
  'Notion',
  'Airtable',
  'Telegram',
  'HubSpot',
  'Stripe',
  'Shopify',
  'Jira',
  'OpenAI',
  'Typeform',
  'Trello',
  'Zendesk',
  'WhatsApp',
  'Discord',
  'MySQL',
  'LinkedIn',
  'RSS',
  'Webhook',
];
const DEEDS = [
  'Sync',
  'Back up',
  'Summarise',
  'Translate',
  'Enrich',
  'Route',
  'Score',
  'Archive',
  'Monitor',
  'Publish',
];
const THINGS = [
  'new leads',
  'invoices',
  'support tickets',
  'daily reports',
  'meeting notes',
  'orders',
  'contacts',
  'reviews',
  'job applications',
  'images',
];
const DECORATIONS = ['', '', '', '', '🚀 ', '🤖 ', '✨ ', '👩‍💻 ', '🇩🇪 ', '[Template] '];
/** Titles that people really write, and that break what is careless with text. */
const ODD = [
  'My workflow',
  'My workflow',
  '工作流程自动化',
  'أتمتة الفواتير',
  'Überblick für Führungskräfte',
  'Price: $5 & <b>more</b>',
  'O\'Reilly "feed" \\ reader',
  'Cafe\u0301 orders',
  '🧑🏽‍🚒🧯',
  'null',
];
const TRIGGERS = [
  'Manual workflow',
  'Scheduled automation',
  'Webhook-triggered automation',
  'Complex multi-step automation',
];
const CATEGORIES = [
  'ai-agent-development',
  'business-process-automation',
  'communication-and-messaging',
  'crm-and-sales',
  'data-processing-and-analysis',
  'e-commerce-and-retail',
  'project-management',
  'technical-infrastructure-and-devops',
];

/**
 * A catalogue such as a marketplace has: titles that repeat, emoji, several scripts, prices from 0, uneven categories.
 * Always the same one.
 */
export function catalogue(count = 2_000): readonly wire.CreateAutomation[] {
  const random = seeded(20_250_101);
  return Array.from({ length: count }, (_, n) => {
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const [from, to] = [pick(SERVICES), pick(SERVICES)];
    const nodes = 2 + Math.floor(random() * 60);
    return {
      title: n % 40 === 0 ? pick(ODD) : `${pick(DECORATIONS)}${pick(DEEDS)} ${pick(THINGS)} from ${from} to ${to}`,
      description: describe({ trigger: pick(TRIGGERS), from, to, nodes, long: n % 100 === 0 }),
      price: nodes < 8 ? 0 : (nodes * 75 + 24) / 100,
      category_id: CATEGORIES[Math.floor(random() * random() * CATEGORIES.length)] ?? 'uncategorized',
    };
  });
}

function describe(of: { trigger: string; from: string; to: string; nodes: number; long: boolean }): string {
  const sentence = `${of.trigger} that connects ${of.from} and ${of.to} for data processing. Uses ${of.nodes} nodes.`;
  if (!of.long) return sentence;
  const steps = Array.from({ length: of.nodes }, (_, step) => `${step + 1}.\tAsk ${of.from} 📬, then tell ${of.to} 📣`);
  return [sentence, '', ...steps].join('\n');
}

/** Mulberry32: the same numbers on every machine. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
