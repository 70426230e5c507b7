import { Binary, UUID } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { AutomationFile } from '../../domain/file.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import { isUuid } from '../../domain/uuid.js';

export interface AutomationDocument {
  _id: Binary;
  /** The order of the market: higher is newer. Unique, with gaps. */
  seq: number;
  /** Missing when it was withdrawn. */
  on_sale?: true;
  category_id: CategoryId;
  title: string;
  description: string;
  price: MinorUnits;
  currency: Currency;
  url: string | null;
  license: string | null;
  file: AutomationFile | null;
  developer_id: DeveloperId;
  created_at: Date;
  updated_at: Date;
  idempotency_key?: string;
  idempotency_key_until?: Date;
  request_hash?: string;
  withdrawn_at?: Date;
  withdrawn_by?: WithdrawnBy;
  withdrawn_reason?: string;
  /** Missing from a process that keeps none. */
  words?: Words;
}

/** The bytes of the file of an automation that is on sale. Its id is that of the automation. */
export interface FileDocument {
  _id: Binary;
  content: Binary;
}

/** The words of an automation, as a document has them. */
export interface Words {
  rule: number;
  /** The name, and the distinct words of title and description. */
  all: string[];
  /** The name, and the distinct words of the title. */
  title: string[];
  runs: string;
}

/** The fields of an idempotency key, for `$unset`. */
export const KEY_FIELDS = { idempotency_key: '', idempotency_key_until: '', request_hash: '' } as const;

/** All fields but those that only the server uses. */
export const CONTENT = { words: 0 } as const;

/** The fields of a summary. */
export const SUMMARY = { title: 1, price: 1, currency: 1 } as const;

/** What no automation has as its id. */
const NO_ID = new Binary(new Uint8Array(0));

/** Returns an id as it is stored: as binary of subtype 4. A text that is no UUID is the id of no automation. */
export function uuid(id: AutomationId): Binary {
  return isUuid(id) ? new UUID(id) : NO_ID;
}

/** Returns what is stored of the file of an automation. */
export function fileDocumentOf(id: AutomationId, content: Uint8Array): FileDocument {
  return { _id: uuid(id), content: new Binary(content) };
}

export function idOf(binary: Binary): AutomationId {
  return binary.toUUID().toHexString() as AutomationId;
}

export function documentOf(offer: NewAutomation, seq: number, words?: Words): AutomationDocument {
  const { automation, idempotencyKey, idempotencyKeyUntil, requestHash } = offer;
  return {
    _id: uuid(automation.id),
    seq,
    on_sale: true,
    ...contentOf(automation),
    developer_id: automation.developerId,
    created_at: automation.createdAt,
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(idempotencyKeyUntil && { idempotency_key_until: idempotencyKeyUntil }),
    ...(idempotencyKey !== undefined && requestHash !== undefined && { request_hash: requestHash }),
    ...(words && { words }),
  };
}

/** Returns the fields that a revision changes. */
export function contentOf({ categoryId, title, description, price, url, license, file, updatedAt }: Automation) {
  const { minorUnits, currency } = price;
  return {
    category_id: categoryId,
    title,
    description,
    price: minorUnits,
    currency,
    url,
    license,
    file,
    updated_at: updatedAt,
  };
}

export function automationOf(document: AutomationDocument): Automation {
  return {
    id: idOf(document._id),
    title: document.title,
    description: document.description,
    price: { minorUnits: document.price, currency: document.currency },
    categoryId: document.category_id,
    url: document.url,
    license: document.license,
    file: document.file,
    developerId: document.developer_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

export function archivedOf(document: AutomationDocument): ArchivedAutomation {
  const { withdrawn_at: at, withdrawn_by: by = 'developer', withdrawn_reason: reason } = document;
  const automation = automationOf(document);
  if (at === undefined) return { automation };
  return { automation, withdrawn: { at, by, ...(reason !== undefined && { reason }) } };
}

export function summaryOf({ _id, title, price, currency }: AutomationDocument): AutomationSummary {
  return { id: idOf(_id), title, price: { minorUnits: price, currency } };
}
