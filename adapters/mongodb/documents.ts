import type { Document } from 'mongodb';

/** Returns an entity as a document: fields in snake case, the id as `_id`, and no field without a value. */
export function documentOfEntity(entity: object): Document {
  const fields = Object.entries(entity).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name === 'id' ? '_id' : snakeCase(name), value as unknown]));
}

/** Returns the entity of a document, without the fields that only the storage uses. */
export function entityOf(document: object, ownFields: readonly string[] = []): Document {
  const fields = Object.entries(document).filter(([name]) => !ownFields.includes(name));
  const named = fields.map(([name, value]) => [name === '_id' ? 'id' : camelCase(name), value as unknown]);
  return Object.fromEntries(named) as Document;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
