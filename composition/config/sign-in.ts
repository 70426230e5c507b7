import type { Environment } from './environment.js';
import type { ServiceConfig, SERVICE_SETTINGS, Values } from './service-settings.js';

type Given = Partial<Values<typeof SERVICE_SETTINGS>>;

const NEEDED = ['SIGN_IN_ISSUER', 'SIGN_IN_CLIENT_ID', 'SIGN_IN_CLIENT_SECRET'] as const;
const BY_ROLE = ['SIGN_IN_OPERATORS', 'SIGN_IN_DEVELOPERS', 'SIGN_IN_BUYERS'] as const;

/** Returns the sign-in at an issuer as the settings have it; undefined without one. */
export function signInOf(given: Given): ServiceConfig['signIn'] {
  const { SIGN_IN_ISSUER: issuer, SIGN_IN_CLIENT_ID: clientId, SIGN_IN_CLIENT_SECRET: clientSecret } = given;
  if (!issuer || !clientId || !clientSecret) return undefined;
  const { SIGN_IN_ROLES_CLAIM: claim, SIGN_IN_REQUIRE: required, SIGN_IN_ROLE: role } = given;
  const [operators, developers, buyers] = BY_ROLE.map((name) => given[name] || []);
  return {
    issuer,
    clientId,
    clientSecret,
    name: given.SIGN_IN_NAME,
    scopes: given.SIGN_IN_SCOPES,
    subject: given.SIGN_IN_SUBJECT,
    role,
    ...(claim && { roles: { claim, operators, developers, buyers } }),
    ...(required && { required }),
  };
}

/** Returns the mistakes of the settings of the sign-in that are each right, but not together. */
export function signInMistakes(environment: Environment): readonly string[] {
  const has = (name: string) => Boolean(environment[name]) || Boolean(environment[`${name}_FILE`]);
  const given = Object.keys(environment).filter((name) => name.startsWith('SIGN_IN_') && has(name));
  const [first] = given;
  if (first === undefined)
    return environment['PASSWORDS'] === 'off'
      ? ['PASSWORDS is off, and SIGN_IN_ISSUER is missing: nobody could sign in']
      : [];
  const missing = NEEDED.filter((name) => !has(name));
  if (missing.length > 0) return missing.map((name) => `${name} is missing; ${first} needs it`);
  const [byClaim, values] = [has('SIGN_IN_ROLES_CLAIM'), BY_ROLE.filter(has)];
  return [
    ...(environment['PANEL'] === 'off' ? ['SIGN_IN_ISSUER needs the panel, and PANEL is off'] : []),
    ...(byClaim && values.length === 0
      ? [`SIGN_IN_ROLES_CLAIM needs one of ${BY_ROLE.join(', ')}: without any, nobody could sign in`]
      : []),
    ...(byClaim ? [] : values.map((name) => `SIGN_IN_ROLES_CLAIM is missing; ${name} needs it`)),
    ...(byClaim && has('SIGN_IN_ROLE')
      ? ['SIGN_IN_ROLE must not be set next to SIGN_IN_ROLES_CLAIM, which gives the roles']
      : []),
    ...(byClaim || has('SIGN_IN_REQUIRE')
      ? []
      : [
          'SIGN_IN_ROLES_CLAIM or SIGN_IN_REQUIRE is missing: without them, everyone with an account at the issuer ' +
            'could sign in',
        ]),
  ];
}
