import type { AccessTokens } from '../resource-metadata.js';
import type { Operation, PathItem } from './model.js';

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key that was created in the developer panel, as in `Authorization: Bearer amk_...`. It is read from nowhere else. Reading needs the scope `automations:read`, creating `automations:write`.',
} as const;

function accessToken({ issuer, audience }: AccessTokens) {
  return {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `A JWT access token (RFC 9068) of the issuer \`${issuer}\` for the audience \`${audience}\`, with the same scopes as a key. What it creates is offered by \`oauth:\` and the token's \`sub\`.`,
  } as const;
}

type SecuritySchemes = Readonly<Record<string, object>> & { readonly apiKey: object };

/** What can be shown as a bearer token: a key, and where there is an issuer one of its tokens. */
export function securitySchemes(accessTokens: AccessTokens | undefined): SecuritySchemes {
  return accessTokens === undefined ? { apiKey } : { apiKey, accessToken: accessToken(accessTokens) };
}

/** The operations, each taken with any of the schemes that has the scopes which it asks of a key. */
export function acceptedBy(schemes: SecuritySchemes, paths: Readonly<Record<string, PathItem>>): Readonly<Record<string, PathItem>> {
  const accepted = (operation: Operation): Operation => {
    const { security } = operation;
    if (security === undefined) return operation;
    return { ...operation, security: security.flatMap(({ apiKey: scopes = [] }) => Object.keys(schemes).map((name) => ({ [name]: scopes }))) };
  };
  return eachValue(paths, (item) => eachValue(item, accepted));
}

function eachValue<Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
