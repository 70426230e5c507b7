import { expect } from 'chai';
import { startService } from '../../support/service.js';
import { offer } from './hostile/ask.js';

export const SHELF = [
  { title: 'Sort invoices', description: 'By supplier.', price: 5, category_id: 'ai-agents' },
  { title: 'Invoice reminder 🎟', description: 'Sorts what is due.', price: 0, category_id: 'data-processing' },
  { title: 'Tidy photos', description: 'By place & <b>date</b>.', price: 5, category_id: 'ai-agents' },
  { title: 'Facturé', description: 'An invoice, sorted.', price: 12.5, category_id: 'ai-agents' },
  { title: '工作流程自动化', description: 'サーバーAI', price: 99_999_999.99, category_id: 'communication' },
  { title: 'أتمتة الفواتير', description: 'عَرَبِيّ', price: 0.07, category_id: 'communication' },
];

export interface ListJson {
  readonly data: readonly { readonly title: string; readonly price: number }[];
  readonly total: number;
  readonly page: number;
}

/** Starts a service that sells these. */
export async function startFilled(options: Parameters<typeof startService>[0]) {
  const service = await startService(options);
  const key = await service.key();
  for (const draft of SHELF) expect((await offer(service.url, key, draft)).status).to.equal(201);
  return { service, key };
}
