/** As much of OpenAPI 3.1 as the document uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Info;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

interface Info {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly license: object;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
}

export interface Ref {
  readonly $ref: string;
}

export type Schema = Readonly<Record<string, unknown>>;
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
export type Method = 'get' | 'post';
export type PathItem = { readonly [M in Method]?: Operation };

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters: readonly Ref[];
  readonly requestBody?: { readonly required: true; readonly description: string; readonly content: Content };
  readonly responses: Readonly<Record<string, Ref>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly examples: Examples;
}

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly examples: Examples;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Ref>>;
  readonly content?: Content;
  readonly links?: Readonly<Record<string, unknown>>;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: Ref; readonly examples: Examples }>>;
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The name of a component as a reference to it. */
export function ref(section: keyof Components, name: string): Ref {
  return { $ref: `#/components/${section}/${name}` };
}
