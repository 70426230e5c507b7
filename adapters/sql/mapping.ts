import type { ColumnType, Value } from './dialect.js';

/** How a field is stored: a text, an integer, a date in milliseconds since 1970, or JSON; some may be null. */
export type FieldKind = 'text' | 'text-or-null' | 'integer' | 'time' | 'json' | 'json-or-null';

/** A row of a table. A column is null when the entity lacks the field, or when the field is null. */
export type Row = Readonly<Record<string, Value>>;

/** How the entities of one kind are stored in the columns of a table. The names of columns are in snake case. */
export interface Mapping<Entity> {
  /** The names of the columns, for a statement. */
  readonly columns: string;
  /** The columns and their types, for `Dialect.rowsOf`. */
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly rowOf: (entity: Entity) => Row;
  readonly entityOf: (row: Row) => Entity;
}

/** Returns the mapping of entities with these fields. */
export function mappingOf<Entity extends object>(
  fields: Readonly<Record<keyof Entity & string, FieldKind>>,
): Mapping<Entity> {
  const mapped = Object.entries<FieldKind>(fields).map(([field, kind]) => ({ field, kind, column: snakeCase(field) }));
  return {
    columns: mapped.map(({ column }) => column).join(', '),
    types: Object.fromEntries(
      mapped.map(({ column, kind }) => [column, kind === 'integer' || kind === 'time' ? 'integer' : 'text']),
    ),
    rowOf(entity) {
      const values = entity as Readonly<Record<string, unknown>>;
      return Object.fromEntries(mapped.map(({ field, kind, column }) => [column, valueOf(values[field], kind)]));
    },
    entityOf(row) {
      const entity: Record<string, unknown> = {};
      for (const { field, kind, column } of mapped) {
        const value = row[column];
        if (value !== null) entity[field] = fieldOf(value as string & number, kind);
        else if (kind.endsWith('-or-null')) entity[field] = null;
      }
      return entity as Entity;
    },
  };
}

function valueOf(field: unknown, kind: FieldKind): Value {
  if (field === undefined || field === null) return null;
  if (kind === 'time') return (field as Date).getTime();
  return isJson(kind) ? JSON.stringify(field) : (field as Value);
}

function fieldOf(value: string & number, kind: FieldKind): unknown {
  if (kind === 'time') return new Date(value);
  return isJson(kind) ? JSON.parse(value) : value;
}

function isJson(kind: FieldKind): boolean {
  return kind === 'json' || kind === 'json-or-null';
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
