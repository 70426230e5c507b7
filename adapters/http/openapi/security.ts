import type { AccessTokens } from '../probes/resource-metadata.js';
import type { Operation, PathItem } from './model.js';

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key that was created in the developer panel, as in `Authorization: Bearer amk_...`. The service reads it ' +
    'from no other place. Reading needs the scope `automations:read`, creating `automations:write`.',
} as const;

function accessToken({ issuer, audience }: AccessTokens) {
  return {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      `A JWT access token (RFC 9068) of the issuer \`${issuer}\` for the audience \`${audience}\`, with the same ` +
      `scopes as a key. The developer of what it creates is \`oauth:\` and the token's \`sub\`.`,
  } as const;
}

type SecuritySchemes = Readonly<Record<string, object>> & { readonly apiKey: object };

/** Returns the kinds of bearer tokens: keys, and the tokens of an issuer if there is one. */
export function securitySchemes(accessTokens: AccessTokens | undefined): SecuritySchemes {
  return accessTokens === undefined ? { apiKey } : { apiKey, accessToken: accessToken(accessTokens) };
}

type Paths = Readonly<Record<string, PathItem>>;

/** Returns the operations, each of which accepts any of the schemes with the scopes that it asks of a key. */
export function acceptedBy(schemes: SecuritySchemes, paths: Paths): Paths {
  const accepted = (operation: Operation): Operation => {
    const { security } = operation;
    if (security === undefined) return operation;
    const byEach = (scopes: readonly string[]) => Object.keys(schemes).map((name) => ({ [name]: scopes }));
    return { ...operation, security: security.flatMap(({ apiKey: scopes = [] }) => byEach(scopes)) };
  };
  return eachValue(paths, (item) => eachValue(item, accepted));
}

type Values<Value> = Readonly<Record<string, Value>>;

function eachValue<Value>(record: Values<Value>, change: (value: Value) => Value): Values<Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
