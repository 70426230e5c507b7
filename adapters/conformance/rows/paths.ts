import { passes, refused, type Row } from './row.js';

const LIST = 'GET, HEAD, OPTIONS, POST';
const READ = 'GET, HEAD, OPTIONS';
const ID = '0193a3f0-0000-7000-8000-000000000000';

const nowhere = (target: string): Row => refused(`nothing at ${target.slice(0, 80)}`, 404, 'not-found', { target });

/** Below `/api/automations/`: none of them is the id of an automation. */
const NO_IDS = [
  ID,
  '{gone}',
  'UPPER{id}',
  'x',
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '..%2fcategories',
  '%2f',
  '%00',
  '{id}%00',
  '{id}%20',
  '%20{id}',
  '{id}%0a',
  '{id}.json',
  '{id};v=1',
  '{id},{id}',
  '{id}/',
  '{id}/description',
  '{id}//',
  '%ff',
  '%',
  '%zz',
  '{%22$ne%22:null}',
  "'%20OR%20'1'='1",
  '*',
  'a'.repeat(4_000),
];

export const PATH_ROWS: readonly Row[] = [
  passes('an id in upper case', 200, { target: '/api/automations/{upper}' }),
  ...NO_IDS.map((id) => nowhere(`/api/automations/${id}`)),
  ...[
    '/x',
    '/automations',
    '/categories',
    '/API/automations',
    '/Api/automations',
    '/apiautomations',
    '/api2',
    '/v2/automations',
  ].map(nowhere),
  ...['/api', '/api/', '/v1', '/v1/', '/api/v1', '/api/v1/', '/v1/api', '/v1/api/'].map(nowhere),
  ...[
    '/api/automations/',
    '/api/categories/',
    '/api/Automations',
    '/api/CATEGORIES',
    '/api//automations',
    '//api/automations',
  ].map(nowhere),
  ...['/api/./automations', '/api/../api/automations', '/api/x/../automations', '/api/automations/../categories'].map(
    nowhere,
  ),
  ...[
    '/api/%61utomations',
    '/%61pi/automations',
    '/api%2fautomations',
    '/api/automations%2f',
    '/api/automations%20',
    '/api/categories%00',
  ].map(nowhere),
  ...[
    '/api/automations;x=1',
    '/api/automations.json',
    '/api/categories/ai-agents',
    '/api/developers',
    '/api/keys',
    '/api/\\automations',
  ].map(nowhere),
  ...[
    '/api/api/automations',
    '/api/v1/api/automations',
    '/v1/api/v1/automations',
    '/v1/v1/automations',
    '/api/v2/automations',
  ].map(nowhere),
  ...[
    '/api/openapi.json',
    '/api/docs',
    '/api/livez',
    '/v1/metrics',
    '/api/problems/not-found',
    '/api/panel',
    '/api/.well-known/x',
  ].map(nowhere),
  ...['/.env', '/.git/config', '/admin', '/wp-login.php', '/cgi-bin/x'].map(nowhere),
  refused('an unknown path, and HTML wanted', 404, 'not-found', { target: '/api/x', headers: { Accept: 'text/html' } }),
  refused('an unknown path, and a method that no path takes', 404, 'not-found', { method: 'DELETE', target: '/api/x' }),
  refused('an unknown path and a body', 404, 'not-found', { method: 'POST', target: '/api/x', body: '{}' }),
  refused('a path outside the bases without a key', 404, 'not-found', {
    target: '/x',
    headers: { Authorization: undefined },
  }),
  refused('a path of the API without its base and without a key', 404, 'not-found', {
    target: '/automations',
    headers: { Authorization: undefined },
  }),
  refused('another case of a base without a key', 404, 'not-found', {
    target: '/API/automations',
    headers: { Authorization: undefined },
  }),
  refused('HEAD of an unknown automation', 404, 'not-found', { method: 'HEAD', target: `/api/automations/${ID}` }),

  ...['PUT', 'PATCH', 'DELETE'].flatMap((method) => [
    refused(`${method} of the list`, 405, 'method-not-allowed', {
      method,
      target: '/api/automations',
      answer: { Allow: LIST },
    }),
    refused(`${method} of an automation`, 405, 'method-not-allowed', {
      method,
      target: '/api/automations/{id}',
      answer: { Allow: READ },
    }),
    refused(`${method} of the categories`, 405, 'method-not-allowed', {
      method,
      target: '/v1/categories',
      answer: { Allow: READ },
    }),
  ]),
  ...['TRACE', 'PROPFIND', 'MKCOL', 'SEARCH', 'PURGE', 'LINK', 'M-SEARCH', 'ACL'].map((method) =>
    refused(`${method} of the list`, 405, 'method-not-allowed', {
      method,
      target: '/api/automations',
      answer: { Allow: LIST },
    }),
  ),
  refused('POST to an automation', 405, 'method-not-allowed', {
    method: 'POST',
    target: '/api/automations/{id}',
    body: '{}',
    answer: { Allow: READ },
  }),
  refused('POST to the categories', 405, 'method-not-allowed', {
    method: 'POST',
    target: '/api/categories',
    body: '{}',
    answer: { Allow: READ },
  }),
  refused('a method that no path takes, and no right to read', 405, 'method-not-allowed', {
    method: 'DELETE',
    target: '/api/automations/{id}',
    headers: { Authorization: 'Bearer {writer}' },
  }),
  refused('a method that no path takes, and HTML wanted', 405, 'method-not-allowed', {
    method: 'PUT',
    target: '/api/categories',
    headers: { Accept: 'text/html' },
  }),
  refused('a method that no path takes, and a bad query', 405, 'method-not-allowed', {
    method: 'PUT',
    target: '/api/categories?x=1',
  }),
  passes('a method in X-HTTP-Method-Override', 200, {
    target: '/api/automations',
    headers: { 'X-HTTP-Method-Override': 'DELETE' },
  }),
  passes('OPTIONS of the list', 204, { method: 'OPTIONS', target: '/api/automations', answer: { Allow: LIST } }),
  passes('OPTIONS of an automation', 204, {
    method: 'OPTIONS',
    target: '/api/automations/{id}',
    answer: { Allow: READ },
  }),
  passes('OPTIONS of the categories', 204, {
    method: 'OPTIONS',
    target: '/api/categories',
    answer: { Allow: READ },
  }),
  ...['{reader}', '{writer}'].map((key) =>
    passes(`OPTIONS of the list by a ${key.slice(1, -1)}`, 204, {
      method: 'OPTIONS',
      target: '/api/automations',
      headers: { Authorization: `Bearer ${key}` },
      answer: { Allow: LIST },
    }),
  ),
  passes('a preflight, which gets no CORS headers,', 204, {
    method: 'OPTIONS',
    target: '/api/automations',
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    answer: { Allow: LIST, 'Access-Control-Allow-Origin': null },
  }),
  passes('HEAD of the list', 200, { method: 'HEAD', target: '/api/automations' }),
];
