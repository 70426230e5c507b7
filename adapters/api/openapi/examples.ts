import { decimalsOf, type Currency } from '../../../domain/currency.js';
import type * as wire from '../../client/index.js';

export const AUTOMATION_ID = '01980c5e-7a3b-7c4d-9e21-5f60a1b2c3d4';
export const ETAG = '"nq8bYc1Zs0H4mLxk7Tq2RfWv3eU"';
export const REQUEST_ID = 'checkout-7f3a';

export function createExample(currency: Currency): Required<wire.CreateAutomation> {
  return {
    title: 'Invoice sorter',
    description: 'Files incoming invoices by supplier and month.\nWorks with every mailbox that speaks IMAP.',
    price: decimalsOf(currency) === 0 ? 10 : 9.99,
    category_id: 'financial-and-accounting',
    url: 'https://acme.example/invoice-sorter',
    license: 'MIT',
    file: null,
  };
}

/** Returns a create of something that is given away, with a file. */
export function giftExample(currency: Currency): wire.CreateAutomation {
  const text = '{"name":"Notify","nodes":[],"connections":{}}';
  return { ...createExample(currency), price: 0, url: null, file: { name: 'notify.json', text } };
}

export function automationExample(currency: Currency): wire.Automation {
  const times = { created_at: '2026-01-15T09:30:00.000Z', updated_at: '2026-01-15T09:30:00.000Z' };
  return { id: AUTOMATION_ID, ...createExample(currency), file: null, currency, developer_id: 'acme', ...times };
}

export function automationListExample(currency: Currency): wire.AutomationList {
  const { id, title, price } = automationExample(currency);
  return { data: [{ id, title, price }], total: 1, page: 1 };
}

export const pastTheEndExample: wire.AutomationList = { data: [], total: 1, page: 2 };

export const categoryListExample: wire.CategoryList = {
  data: [
    { id: 'financial-and-accounting', name: 'Financial & Accounting', automation_count: 1 },
    { id: 'project-management', name: 'Project Management', automation_count: 0 },
  ],
  total: 2,
};
