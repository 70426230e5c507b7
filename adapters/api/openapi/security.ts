import { SCOPES } from '../../../domain/scope.js';
import type { AccessTokens } from '../documents/resource-metadata.js';
import type { Operation, PathItem } from './model.js';

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key that was created in the developer panel, as in `Authorization: Bearer amk_...`. The service reads it ' +
    'from no other place. Reading needs the scope `automations:read`, creating `automations:write`.',
} as const;

const MEANINGS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'automations:read': 'Lists, finds and reads automations and categories.',
  'automations:write': 'Publishes automations.',
};

/**
 * The flows of the service's own server. OpenAPI 3.1 has no name for the device flow, so the description has it. The
 * paths are those of its metadata.
 */
function ownServer(issuer: string, audience: string) {
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, MEANINGS[scope]]));
  const tokenUrl = `${issuer}/token`;
  return {
    type: 'oauth2',
    description:
      `An access token (RFC 9068) of the service's own OAuth 2.0 server \`${issuer}\` for the resource ` +
      `\`${audience}\`, with the same scopes as a key. Developers register apps in the panel, under "Your apps". A ` +
      'machine that acts for its own developer uses `clientCredentials`. An app that acts for others uses ' +
      '`authorizationCode` with PKCE (S256), and a command line the device flow (RFC 8628) at ' +
      `\`${issuer}/device/auth\`. Tokens are valid for an hour at most.`,
    flows: {
      clientCredentials: { tokenUrl, scopes },
      authorizationCode: { authorizationUrl: `${issuer}/auth`, tokenUrl, refreshUrl: tokenUrl, scopes },
    },
  } as const;
}

function accessToken(issuer: string, audience: string) {
  return {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      `A JWT access token (RFC 9068) of the issuer \`${issuer}\` for the audience \`${audience}\`, with the same ` +
      'scopes as a key. What it creates belongs to the account of its subject, whose id is random.',
  } as const;
}

type SecuritySchemes = Readonly<Record<string, object>> & { readonly apiKey: object };

/** Returns the kinds of bearer tokens: keys, and the tokens of each server whose tokens are taken. */
export function securitySchemes(tokens: AccessTokens | undefined): SecuritySchemes {
  if (tokens === undefined) return { apiKey };
  const { ownIssuer, outsideIssuer, audience } = tokens;
  return {
    apiKey,
    ...(ownIssuer !== undefined && { oauth: ownServer(ownIssuer, audience) }),
    ...(outsideIssuer !== undefined && { accessToken: accessToken(outsideIssuer, audience) }),
  };
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
