import type { AccessTokenOptions } from '../../adapters/oauth/index.js';
import type { SignInOptions } from '../../adapters/sign-in/index.js';
import { DEFAULT_BRAND } from '../../adapters/web/views/brand.js';
import { ROLES } from '../../domain/role.js';
import { readLogo, type TlsFiles } from './files.js';
import {
  addresses,
  audience,
  claim,
  bearerToken,
  brandName,
  integer,
  issuer,
  keysUrl,
  networks,
  oneOf,
  onOrOff,
  origin,
  pemFile,
  rate,
  requiredClaim,
  scopes,
  values,
  type Parser,
} from './parsers.js';

/** A setting of the operator: a variable of the environment, a line of `.env`, or a flag of `serve`. */
export interface Setting<Value = unknown> {
  /** The text that is parsed if the setting is not given; if it is empty, the value is, too. */
  readonly default: string;
  /** A few words for `serve --help`. */
  readonly meaning: string;
  readonly parse: Parser<Value>;
  /** Never printed. May also stand in the file that the setting with `_FILE` at its end names. */
  readonly secret?: true;
  /** The placeholder of the value, for a setting that is also a flag. */
  readonly flag?: string;
}

/** The settings that `createService` has as options, too. Those of databases belong to the program alone. */
export const SERVICE_SETTINGS = {
  PUBLIC_URL: { flag: 'URL', default: '', meaning: 'where people reach the service, for links', parse: origin },
  RATE_LIMIT_READS: { default: '600', meaning: 'reads a minute of a developer, or off', parse: rate },
  RATE_LIMIT_CREATES: { default: '60', meaning: 'creates a minute of a developer, or off', parse: rate },
  RATE_LIMIT_FAILED_AUTH: {
    default: '30',
    meaning: 'failed authentications a minute of an address, or off',
    parse: rate,
  },
  RATE_LIMIT_PAGES: { default: '300', meaning: 'pages a minute of a visitor, or off', parse: rate },
  SHARED_NETWORKS: {
    default: '',
    meaning: 'CIDR blocks of offices, with commas: limits per address are ten times as high',
    parse: networks,
  },
  KEY_CACHE_SECONDS: {
    default: '5',
    meaning: 'how long another process may accept a revoked key',
    parse: integer(0, 3_600),
  },
  KEEP_ALIVE_SECONDS: {
    default: '65',
    meaning: 'how long an idle connection stays open',
    parse: integer(1, 3_600),
  },
  TRUSTED_PROXY_HOPS: { default: '0', meaning: 'how many reverse proxies to trust', parse: integer(0, 10) },
  TLS_CERT: { default: '', meaning: 'a PEM file with the certificate, for HTTPS', parse: pemFile },
  TLS_KEY: { default: '', meaning: 'a PEM file with its private key', parse: pemFile },
  OAUTH_ISSUER: { default: '', meaning: 'the issuer whose access tokens are accepted', parse: issuer },
  OAUTH_JWKS_URL: { default: '', meaning: "where the issuer's keys are, if not where it says", parse: keysUrl },
  OAUTH_AUDIENCE: { default: '', meaning: 'the audience of these tokens', parse: audience },
  OAUTH_SUBJECT: { default: 'sub', meaning: 'the claim of them that is the subject', parse: claim },
  OAUTH_SERVER: {
    default: 'on',
    meaning: 'off removes the authorization server at /oauth, and so does PANEL=off',
    parse: onOrOff,
  },
  SIGN_IN_ISSUER: { default: '', meaning: 'the issuer with whose accounts people sign in', parse: issuer },
  SIGN_IN_CLIENT_ID: { default: '', meaning: 'what it calls the marketplace', parse: audience },
  SIGN_IN_CLIENT_SECRET: { secret: true, default: '', meaning: 'the secret that it gave', parse: bearerToken },
  SIGN_IN_NAME: { default: 'your organisation', meaning: 'its name on the button', parse: brandName },
  SIGN_IN_SCOPES: { default: 'openid profile email', meaning: 'what it is asked for', parse: scopes },
  SIGN_IN_SUBJECT: { default: 'sub', meaning: 'the claim that is the subject', parse: claim },
  SIGN_IN_ROLES_CLAIM: { default: '', meaning: 'the claim, or its path, that gives roles', parse: claim },
  SIGN_IN_OPERATORS: { default: '', meaning: 'the values of it for operators, with commas', parse: values },
  SIGN_IN_DEVELOPERS: { default: '', meaning: 'the values of it for developers', parse: values },
  SIGN_IN_BUYERS: { default: '', meaning: 'the values of it for buyers', parse: values },
  SIGN_IN_REQUIRE: {
    default: '',
    meaning: 'a claim that everyone must have, and its value: hd=corp.example',
    parse: requiredClaim,
  },
  SIGN_IN_ROLE: { default: 'buyer', meaning: 'the role of a new account without a claim', parse: oneOf(ROLES) },
  PASSWORDS: { default: 'on', meaning: 'off leaves passwords for emergencies alone', parse: onOrOff },
  SEARCH: { default: 'on', meaning: 'off keeps no index of words', parse: onOrOff },
  BRAND_NAME: { default: DEFAULT_BRAND.name, meaning: 'the name of the pages', parse: brandName },
  BRAND_LOGO: { default: '', meaning: 'an SVG or PNG file with their logo', parse: readLogo },
  PANEL: { default: 'on', meaning: 'off removes the panel', parse: onOrOff },
  CATALOGUE: {
    default: 'members',
    meaning: 'who sees the catalogue: members, public or off; off by default with PANEL=off',
    parse: oneOf(['members', 'public', 'off']),
  },
  MCP: { default: 'on', meaning: 'off removes the tools for agents at /mcp', parse: onOrOff },
  N8N_URLS: {
    default: '',
    meaning: 'addresses of n8n installations, with commas: their editors show the market from /n8n',
    parse: addresses,
  },
  METRICS_TOKEN: { secret: true, default: '', meaning: 'the bearer token that /metrics requires', parse: bearerToken },
} as const satisfies Record<string, Setting>;

type ValueOf<Given extends Setting> = ReturnType<Given['parse']> | (Given['default'] extends '' ? '' : never);

/** The value of each setting. */
export type Values<Settings extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Settings]: ValueOf<Settings[Name]>;
};

/** The settings of the service by their names, whether a program or a host runs it. */
export interface ServiceConfig extends Pick<
  Values<typeof SERVICE_SETTINGS>,
  | 'PUBLIC_URL'
  | 'RATE_LIMIT_READS'
  | 'RATE_LIMIT_CREATES'
  | 'RATE_LIMIT_FAILED_AUTH'
  | 'RATE_LIMIT_PAGES'
  | 'SHARED_NETWORKS'
  | 'KEY_CACHE_SECONDS'
  | 'KEEP_ALIVE_SECONDS'
  | 'TRUSTED_PROXY_HOPS'
  | 'SEARCH'
  | 'BRAND_NAME'
  | 'BRAND_LOGO'
  | 'PANEL'
  | 'PASSWORDS'
  | 'CATALOGUE'
  | 'MCP'
  | 'N8N_URLS'
  | 'OAUTH_SERVER'
  | 'METRICS_TOKEN'
> {
  /** The issuer whose access tokens are accepted in addition to keys. */
  readonly accessTokens: Pick<AccessTokenOptions, 'issuer' | 'audience' | 'jwksUrl' | 'subject'> | undefined;
  /** The issuer with whose accounts people sign in to the pages. */
  readonly signIn?: Omit<SignInOptions, 'warn'> | undefined;
  readonly tls?: TlsFiles | undefined;
}
