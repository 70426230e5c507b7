import type { Automation, UncheckedDraft } from '../../../domain/automation.js';
import type { UncheckedAutomation } from '../../../domain/imported-automation.js';
import { automationJson, draftOf as draftOfBody } from '../../api/representations.js';
import { printable } from '../terminal/printable.js';
import { withLineFeeds } from './json-input.js';

/** Returns an automation as a line of JSON, as the API sends it, but with the bytes of its file in base64. */
export function lineOf(automation: Automation, content: Uint8Array | undefined): string {
  const file = content && automation.file && { name: automation.file.name, base64: base64Of(content) };
  return printable(JSON.stringify({ ...automationJson(automation), file: file ?? null }));
}

function base64Of(content: Uint8Array): string {
  return Buffer.from(content).toString('base64');
}

export function draftOf(item: Readonly<Record<string, unknown>>): UncheckedDraft {
  return draftOfBody(Object.fromEntries(Object.entries(item).map(([name, value]) => [name, withLineFeeds(value)])));
}

export function automationOf(item: Readonly<Record<string, unknown>>): UncheckedAutomation {
  return {
    ...draftOf(item),
    id: item['id'],
    currency: item['currency'],
    developerId: item['developer_id'],
    createdAt: item['created_at'],
    updatedAt: item['updated_at'],
  };
}
