import type { Automation } from '../../domain/automation.js';
import type { UncheckedAutomation } from '../../domain/moved-automation.js';
import { inMajorUnits } from '../../domain/price.js';
import { BadInput, isObject, readJson, unknownMembers, withLineFeeds } from './json-input.js';
import { LONGEST_LINE } from './lines.js';
import { printable } from './printable.js';

const MEMBERS = ['id', 'title', 'description', 'price', 'currency', 'category_id', 'developer_id', 'created_at'];

/** An automation as a line of JSON, which `readAutomation` takes: the members of the API's answer, in their order. */
export function lineOf({ id, title, description, price, categoryId, developerId, createdAt }: Automation): string {
  const json = {
    id,
    title,
    description,
    price: inMajorUnits(price),
    currency: price.currency,
    category_id: categoryId,
    developer_id: developerId,
    created_at: createdAt.toISOString(),
  };
  return printable(JSON.stringify(json));
}

/** @throws BadInput that says what is wrong with the line. */
export function readAutomation(bytes: Buffer | undefined): UncheckedAutomation {
  if (bytes === undefined) throw new BadInput(`is longer than ${LONGEST_LINE} bytes`);
  const item = readJson(bytes);
  if (!isObject(item)) throw new BadInput(`must be an object with ${MEMBERS.join(', ')}`);
  const unknown = unknownMembers(item, MEMBERS);
  if (unknown !== undefined) throw new BadInput(unknown);
  return {
    id: item['id'],
    title: withLineFeeds(item['title']),
    description: withLineFeeds(item['description']),
    price: item['price'],
    currency: item['currency'],
    categoryId: item['category_id'],
    developerId: item['developer_id'],
    createdAt: item['created_at'],
  };
}
