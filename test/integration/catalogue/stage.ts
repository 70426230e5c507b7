import { parseDeveloperId, SCOPES, type AutomationDraft } from '../../../application/index.js';
import { MARKETPLACE } from '../../../composition/tokens.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import type { Settings } from '../../support/service.js';
import { send, type Sent } from '../../support/socket.js';

export const OFFER: AutomationDraft = {
  title: 'Sort my inbox',
  description: 'Sorts **letters**.',
  price: 9.9,
  categoryId: 'communication-and-messaging',
};

/** A service with a catalogue, and what tests do with it. */
export interface Shop extends PanelService {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Sent>;
  /** Puts an automation on sale and returns its id. */
  offer(draft?: Partial<AutomationDraft>, developer?: string): Promise<string>;
}

export async function startShop(settings: Settings = {}): Promise<Shop> {
  const service = await startPanel({ CATALOGUE: 'public', RATE_LIMIT_PAGES: 'off', ...settings });
  const marketplace = service.container.get(MARKETPLACE);
  return {
    ...service,
    get: (path, headers = {}) => send(service.url, { method: 'GET', path, headers }),
    offer: async (draft = {}, developer = 'ada') => {
      const caller = { developerId: parseDeveloperId(developer), scopes: SCOPES };
      return (await marketplace.createAutomation(caller, { ...OFFER, ...draft })).id;
    },
  };
}

/** Returns the titles on the cards of a page. */
export function titlesOn({ body }: Pick<Sent, 'body'>): readonly string[] {
  return Array.from(body.matchAll(/class="offer-name"[^>]*><a[^>]*>([^<]*)</g), ([, title = '']) => title);
}
