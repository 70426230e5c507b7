import type { AutomationList } from '../../application/list-request.js';
import {
  CONTENT_FIELDS,
  type Automation,
  type AutomationId,
  type AutomationSummary,
  type UncheckedDraft,
} from '../../domain/automation.js';
import type { CountedCategory } from '../../domain/category.js';
import { mediaTypeOf, type AutomationFile } from '../../domain/file.js';
import type { FileFacts, RemovedPart } from '../../domain/file-facts.js';
import { inMajorUnits } from '../../domain/price.js';
import type * as wire from '../client/index.js';
import type { HttpSettings } from '../edge/context.js';

/** Returns where the file of an automation is handed out; null where files are not. */
export type FileAddress = (id: AutomationId) => string | null;

const NOWHERE: FileAddress = () => null;

/** Returns where an application hands out files, by its settings. */
export function fileAddress({
  publicUrl,
  mountPath,
  filesPath,
}: Pick<HttpSettings, 'publicUrl' | 'mountPath' | 'filesPath'>): FileAddress {
  return filesPath === '' ? NOWHERE : (id) => `${publicUrl}${mountPath}${filesPath}/${id}`;
}

export function automationJson(automation: Automation, addressOf = NOWHERE): wire.Automation {
  return {
    id: automation.id,
    title: automation.title,
    description: automation.description,
    price: inMajorUnits(automation.price),
    currency: automation.price.currency,
    category_id: automation.categoryId,
    developer_id: automation.developerId,
    url: automation.url,
    license: automation.license,
    file: automation.file && fileJson(automation.file, addressOf(automation.id)),
    created_at: automation.createdAt.toISOString(),
    updated_at: automation.updatedAt.toISOString(),
  };
}

/** Returns an automation that was created, with what was removed from its file. */
export function createdJson(
  automation: Automation,
  removed: readonly RemovedPart[],
  addressOf?: FileAddress,
): wire.Automation {
  const json = automationJson(automation, addressOf);
  return json.file ? { ...json, file: { ...json.file, removed: removed.map((part) => ({ ...part })) } } : json;
}

function fileJson(file: AutomationFile, url: string | null): wire.AutomationFile {
  const { name, size, sha256, platform = null, facts } = file;
  return { name, media_type: mediaTypeOf(name), size, sha256, platform, url, facts: facts ? factsJson(facts) : null };
}

function factsJson({ communityPackages, brokenConnections, unconnectedSteps, isComplete, ...facts }: FileFacts) {
  return structuredClone({
    ...facts,
    community_packages: communityPackages,
    broken_connections: brokenConnections,
    unconnected_steps: unconnectedSteps,
    is_complete: isComplete,
  }) as wire.FileFacts;
}

export function automationListJson({ items, total, page }: AutomationList): wire.AutomationList {
  return { data: items.map(itemJson), total, page: page.number };
}

function itemJson({ id, title, price }: AutomationSummary): wire.AutomationSummary {
  return { id, title, price: inMajorUnits(price) };
}

export function categoryListJson(categories: readonly CountedCategory[]): wire.CategoryList {
  const data = categories.map(({ id, name, automationCount }) => ({ id, name, automation_count: automationCount }));
  return { data, total: data.length };
}

/** Returns the name of a field of the core on the wire: in snake case. */
export function memberOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a draft, with their names on the wire. */
const DRAFT_FIELDS = CONTENT_FIELDS.map((field) => ({ field, member: memberOf(field) }));

/** The members of the body of a create. */
export const CREATE_MEMBERS: readonly string[] = DRAFT_FIELDS.map(({ member }) => member);

/** The body of a create by the core's names; what is missing stays missing. */
export function draftOf(body: Readonly<Record<string, unknown>>): UncheckedDraft {
  const sent = DRAFT_FIELDS.filter(({ member }) => Object.hasOwn(body, member));
  return Object.fromEntries(
    sent.map(({ field, member }) => [field, field === 'file' ? fileIn(body[member]) : body[member]]),
  );
}

/** Returns the file that was sent as text or in base64; any other value as it is, which the core refuses. */
function fileIn(value: unknown): unknown {
  const { name, text, base64, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0 || (text !== undefined && base64 !== undefined)) return value;
  const bytes = text === undefined ? bytesIn(base64, 'base64') : bytesIn(text, 'utf8');
  return bytes === undefined ? value : { name, bytes };
}

/** Node takes any text, and replaces or leaves out what is wrong. */
function bytesIn(text: unknown, encoding: 'utf8' | 'base64'): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
