/** What a secret looks like. */
export interface SecretPattern {
  /** In words, for the developer who has to remove it. */
  readonly kind: string;
  /** Reads a bounded number of characters from each place, whatever the text. */
  readonly pattern: RegExp;
}

/** Of a header, a parameter of a query or a variable, as `name` of an object that also has a `value`. */
const SECRET_NAME = '[\\w-]{0,20}(?:api[-_]?key|authorization|token|secret|passw(?:or)?d)[\\w-]{0,12}';

/**
 * Each begins with what few texts have, and repeats nothing without a bound, so that a text costs the same for each of
 * its characters.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'a private key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){0,4}[\w+/]{4}/g,
  },
  { kind: 'a key of AWS', pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  {
    kind: 'a secret key of AWS',
    pattern: /aws_?secret_?(?:access_?)?key["'\s:=]{1,8}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/gi,
  },
  { kind: 'a key of Google', pattern: /(?<!\w)AIza[\w-]{35}(?![\w-])/g },
  { kind: 'a client secret of Google', pattern: /GOCSPX-[\w-]{28}/g },
  { kind: 'an access token of Google', pattern: /(?<!\w)ya29\.[\w-]{30}/g },
  { kind: 'a token of GitHub', pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{50})/g },
  { kind: 'a token of GitLab', pattern: /(?<!\w)glpat-[\w-]{20}/g },
  { kind: 'a token of Slack', pattern: /(?<!\w)(?:xox[abeoprs]-(?:\d-)?|xapp-\d-)[A-Za-z0-9]{8,14}-[A-Za-z0-9-]{10}/g },
  {
    kind: 'a webhook of Slack',
    pattern: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[TE]\w{6,14}\/(?:\w{1,24}\/){1,2}\w{20}/g,
  },
  {
    kind: 'a webhook of Discord',
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60}/g,
  },
  { kind: 'a key of OpenAI', pattern: /T3BlbkFJ[\w-]{16}/g },
  { kind: 'a key of OpenAI', pattern: /(?<![\w-])sk-(?:(?:proj|svcacct|admin)-[\w-]{20}|[A-Za-z0-9]{32})/g },
  { kind: 'a key of Anthropic', pattern: /(?<![\w-])sk-ant-[\w-]{20}/g },
  { kind: 'a key of Stripe', pattern: /(?<![A-Za-z0-9])(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16}/g },
  { kind: 'a key of SendGrid', pattern: /(?<!\w)SG\.[\w-]{16,32}\.[\w-]{16}/g },
  { kind: 'a token of a Telegram bot', pattern: /(?<!\d)\d{6,10}:[A-Za-z][\w-]{33,34}(?![\w-])/g },
  { kind: 'a token of Hugging Face', pattern: /(?<!\w)hf_[A-Za-z]{34}(?!\w)/g },
  { kind: 'a token of npm', pattern: /(?<!\w)npm_[A-Za-z0-9]{36}/g },
  { kind: 'a token of Airtable', pattern: /(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g },
  { kind: 'a token of Notion', pattern: /(?<!\w)(?:ntn_[A-Za-z0-9]{43}|secret_[A-Za-z0-9]{43})(?!\w)/g },
  { kind: 'a key of Mailgun', pattern: /(?<!\w)key-[0-9a-f]{32}(?!\w)/g },
  { kind: 'a key of Tavily', pattern: /(?<!\w)tvly-(?:(?:dev|prod)-)?[A-Za-z0-9]{32}/g },
  { kind: 'a key of this market', pattern: /(?<!\w)amk_\w{30}/g },
  { kind: 'a JSON web token', pattern: /(?<![\w-])eyJ[\w-]{10,150}\.eyJ[\w-]{10}/g },
  {
    kind: 'a password in an address',
    pattern: /:\/\/[^\s:@/?#"'<>{}$]{0,64}:(?!pass(?:word)?@)[^\s:@/"'<>{}$]{3,100}@[\w.-]/g,
  },
  { kind: 'an access token in a header', pattern: /(?<!\w)(?:Bearer|Basic|Token) {1,3}[\w.~+/-]{30}/gi },
  {
    kind: 'a key or token',
    pattern: new RegExp(
      `\\nvalue\\n(?<=\\n${SECRET_NAME}\\nvalue\\n)=?(?=[a-z_./+=-]{0,40}\\d)(?=[\\d./+=-]{0,40}[a-z])` +
        '[\\w./+=-]{30,250}(?=\\n|$)',
      'gi',
    ),
  },
];

/** Of many, people remove the first ones and try again. */
const MAX_OF_KIND = 5;

/** A secret that was found. */
export interface FoundSecret {
  readonly kind: string;
  /** Where its last character is. */
  readonly end: number;
}

/** Returns the secrets in a text, of each kind the first ones. */
export function secretsIn(text: string): readonly FoundSecret[] {
  return SECRET_PATTERNS.flatMap(({ kind, pattern }) => {
    // Most texts have none, and `matchAll` makes a copy of the pattern.
    if (text.search(pattern) === -1) return [];
    const found = Array.from(text.matchAll(pattern));
    return found.slice(0, MAX_OF_KIND).map(({ 0: secret, index }) => ({ kind, end: index + secret.length - 1 }));
  });
}
