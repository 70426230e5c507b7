import { expect } from 'chai';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import type { Method, Ref } from '../../../adapters/api/openapi/model.js';
import { BASES } from '../../../adapters/edge/middleware/base-path.js';
import { parseCurrency } from '../../../domain/currency.js';
import { answerChecker } from '../../support/openapi-check.js';
import type { Sent } from '../../support/socket.js';

const document = openApiDocument({ currency: parseCurrency('USD'), version: '1.2.3' });
const check = answerChecker(document);

/** The answers that the document gives as examples. */
function documented(path: string, method: Method, status: number): Sent[] {
  const name = nameOf(document.paths[path]?.[method]?.responses[status]);
  const { headers = {}, content = {} } = document.components.responses[name] ?? {};
  const fields = Object.entries(headers).map(([field, ref]): [string, string] => [field, firstValueOf(nameOf(ref))]);
  const [type, media] = Object.entries(content)[0] ?? [];
  if (media === undefined) return [{ status, headers: new Headers(fields), body: '' }];
  const typed = new Headers([...fields, ['Content-Type', String(type)]]);
  const bodies = Object.values(media.examples).map(({ value }) => JSON.stringify(value));
  return bodies.map((body) => ({ status, headers: typed, body }));
}

function nameOf(ref: Ref | undefined): string {
  return String(ref?.$ref.split('/').at(-1));
}

function firstValueOf(header: string): string {
  const [example] = Object.values(document.components.headers[header]?.examples ?? {});
  return String(example?.value);
}

type Tamper = (sent: Sent) => Sent;

function without(name: string): Tamper {
  return (sent) => {
    const headers = new Headers(sent.headers);
    headers.delete(name);
    return { ...sent, headers };
  };
}

function saying(name: string, value: string): Tamper {
  return (sent) => {
    const headers = new Headers(sent.headers);
    headers.set(name, value);
    return { ...sent, headers };
  };
}

const text =
  (body: string): Tamper =>
  (sent) => ({ ...sent, body });
const replacing =
  (part: string, other: string): Tamper =>
  (sent) => ({ ...sent, body: sent.body.replace(part, other) });
const asItIs: Tamper = (sent) => sent;

describe('The check of answers', () => {
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(item))
      for (const status of Object.keys(responses).map(Number))
        it(`takes the documented ${method.toUpperCase()} ${path} ${status} under every base`, () => {
          for (const base of BASES)
            for (const sent of documented(path, method as Method, status))
              check(method.toUpperCase(), `${base}${path.replace('{id}', 'a')}?page=1`, sent, sent.body);
        });

  const LIST: readonly (readonly [string, Tamper, RegExp])[] = [
    ['a status that is not documented', (sent) => ({ ...sent, status: 202 }), /status is not documented/],
    ['no entity tag', without('ETag'), /ETag is missing/],
    ['a weak entity tag', saying('ETag', 'W/"a"'), /ETag must match/],
    ['no request id', without('X-Request-Id'), /X-Request-Id is missing/],
    ['an illegal request id', saying('X-Request-Id', 'a b'), /X-Request-Id must match/],
    ['no paging links', without('Link'), /Link is missing/],
    ['another caching', saying('Cache-Control', 'public, max-age=60'), /Cache-Control must be equal/],
    ['a header that nobody documented', saying('X-Powered-By', 'tests'), /x-powered-by is not documented/],
    ['a header of another answer', saying('Location', '/api'), /location is not documented/],
    ['another content type', saying('Content-Type', 'text/html'), /content type is text\/html/],
    ['another charset', saying('Content-Type', 'application/json; charset=latin1'), /content type is/],
    ['no content type', without('Content-Type'), /content type is undefined/],
    ['no body', text(''), /body must be object/],
    ['a body that is no JSON', text('{'), /body must be object/],
    ['a member more', replacing('"page":1', '"page":1,"limit":25'), /must NOT have additional properties/],
    ['a member less', replacing(',"page":1', ''), /must have required property 'page'/],
    ['a price as text', replacing('9.99', '"9.99"'), /price must be number/],
    ['a price with three decimals', replacing('9.99', '9.999'), /must match format "price"/],
    ['an id of another form', replacing('01980c5e', 'x'), /must match format "uuid"/],
  ];
  for (const [what, tamper, complaint] of LIST)
    it(`sees a list with ${what}`, () => {
      sees(tamper, complaint, documented('/automations', 'get', 200), 'GET', '/api/automations');
    });

  const categories = documented('/categories', 'get', 200);
  const refused = documented('/categories', 'get', 401);
  const tryAgain = documented('/automations', 'post', 503);
  const OTHERS: readonly (readonly [string, Sent[], string, string, Tamper, RegExp])[] = [
    ['a body to HEAD', categories, 'HEAD', '/api/categories', asItIs, /there is a body/],
    ['a body in 304', documented('/categories', 'get', 304), 'GET', '/v1/categories', text('{}'), /there is a body/],
    [
      'a problem of another request',
      documented('/automations', 'post', 400),
      'GET',
      '/api/automations',
      asItIs,
      /not documented here/,
    ],
    [
      'a refusal of another path',
      documented('/automations/{id}', 'get', 404),
      'GET',
      '/api/categories',
      asItIs,
      /status is not/,
    ],
    [
      'another status in the body',
      refused,
      'GET',
      '/api/categories',
      replacing('401', '403'),
      /status in the body is another/,
    ],
    [
      'another instance',
      refused,
      'GET',
      '/api/categories',
      saying('X-Request-Id', 'b'),
      /instance is not the request id/,
    ],
    ['no challenge', refused, 'GET', '/api/nothing', without('WWW-Authenticate'), /WWW-Authenticate is missing/],
    ['no time to retry', tryAgain, 'POST', '/api/automations', without('Retry-After'), /Retry-After is missing/],
    [
      'a date to retry',
      tryAgain,
      'POST',
      '/api/automations',
      saying('Retry-After', 'soon'),
      /Retry-After must be integer/,
    ],
    ['success on an unknown path', categories, 'GET', '/api/nothing', asItIs, /status is not documented/],
    ['success of an unknown method', categories, 'DELETE', '/api/categories', asItIs, /status is not documented/],
    ['an address elsewhere', categories, 'GET', '/docs', asItIs, /under none of the documented bases/],
  ];
  for (const [what, answers, method, path, tamper, complaint] of OTHERS)
    it(`sees ${what}`, () => sees(tamper, complaint, answers, method, path));

  function sees(tamper: Tamper, complaint: RegExp, answers: readonly Sent[], method: string, path: string): void {
    const seen = answers.map(tamper).map((sent) => {
      try {
        check(method, path, sent, sent.body);
        return 'nothing';
      } catch (error) {
        return String(error);
      }
    });
    expect(seen.join('\n')).to.match(complaint);
  }
});
