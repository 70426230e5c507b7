import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { fileInspectorContract } from '../../contracts/index.js';
import { SECRETS } from './secrets.js';
import { EXPORTED } from './workflow.js';

describe('The inspector by tables', () => {
  fileInspectorContract(() => ({
    inspector: new TableFileInspector(),
    files: [
      { platform: 'n8n', text: JSON.stringify(EXPORTED, undefined, 2) },
      { platform: 'n8n', text: JSON.stringify(EXPORTED) },
    ],
    secrets: SECRETS.flatMap(({ secret }) =>
      [secret, `the key is ${secret}, see`].map((text) => ({ text, part: secret.slice(-20) })),
    ),
  }));
});
