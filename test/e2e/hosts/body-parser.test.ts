import { expect } from 'chai';
import express from 'express';
import { createServer } from 'node:http';
import { createHttpApp } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { Marketplace, parseDeveloperId, SCOPES } from '../../../application/index.js';
import { listening } from '../../support/socket.js';
import { MOUNT_PATH } from './hosts.js';

describe('A body parser of Express in front of the marketplace', () => {
  it('is named to the host, and is no mistake of the client', async () => {
    const told: string[] = [];
    const { automations, categories } = inMemoryStorage();
    const app = createHttpApp(new Marketplace(automations, categories), {
      authenticate: () => ({ developerId: parseDeveloperId('ada'), scopes: SCOPES }),
      sessions: false,
      onError: (error) => told.push(String(error)),
    });
    const host = express().use(express.json()).use(MOUNT_PATH, app.callback());
    const server = await listening(createServer((request, response) => void host(request, response)));
    const response = await fetch(`${server.url}${MOUNT_PATH}/api/automations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{ "title": "One" }',
    });
    expect([response.status, await response.json()]).to.have.nested.property('[1].code', 'internal-error');
    expect(told.join()).to.match(/^Error: .*mount the marketplace before any body parser$/);
    await server.close();
  });
});
