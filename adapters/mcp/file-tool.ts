import type { Automation, UseCases } from '../../application/index.js';
import type { Caller } from '../../domain/access.js';
import { isTextType, MAX_FILE_BYTES } from '../../domain/file.js';
import { automationJson, type FileAddress } from '../api/representations.js';
import { automationSchema } from '../api/schemas.js';
import { Problem } from '../edge/problems/problem.js';
import { checkArguments, invalidCall } from './arguments.js';
import { partOfFile } from './results.js';
import type { Tool } from './tool.js';

const from = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_FILE_BYTES,
  default: 0,
  description: 'The byte with which the text begins: the `continues_at` of the answer before, to read on.',
} as const;
const text = {
  type: ['string', 'null'],
  description: 'The text from there on. Null for an archive, which is no text: download it at `url`.',
} as const;
const continuesAt = { type: 'integer', minimum: 1, description: 'Only if there is more to read.' } as const;

/** The bytes in UTF-8 that are not the first of a character are 10xxxxxx. */
const isInsideCharacter = (byte = 0) => (byte & 0xc0) === 0x80;

/** Returns the tool that reads a file in parts, of which each has the SHA-256 of the whole. */
export function getAutomationFile(marketplace: UseCases['marketplace'], addressOf?: FileAddress): Tool {
  const { id, file } = automationSchema(marketplace.currency).properties;
  const { facts: _facts, removed: _removed, ...details } = file.properties;
  const input = { type: 'object', required: ['id'], properties: { id, from } } as const;
  return {
    name: 'get_automation_file',
    title: 'Read the file of an automation',
    description:
      'Returns the file of an automation, as its tool imports it, in parts. Read on until an answer has no ' +
      '`continues_at`. All parts have the SHA-256 of the whole file: if it changes, the file was replaced, so begin ' +
      'again. An archive has no text: download it at `url`.',
    scope: 'automations:read',
    input,
    output: {
      type: 'object',
      required: [...Object.keys(details), 'from', 'text'],
      properties: { ...details, from, text, continues_at: continuesAt },
    },
    run: async (caller, sent) => {
      const { values, errors } = checkArguments(sent, input);
      if (errors.length > 0) throw invalidCall(errors);
      const start = Number(values['from'] ?? from.default);
      const automation = await marketplace.readAutomation(caller, String(values['id']));
      const found = automationJson(automation, addressOf).file;
      if (found === null) throw new Problem('not-found', 'This automation has no file.');
      const { facts: _shownBefore, ...shown } = found;
      if (!isTextType(shown.media_type)) return { ...shown, from: 0, text: null };
      const content = await marketplace.readFile(caller, automation);
      if (content === undefined) throw await whyMissing(marketplace, caller, automation);
      if (start > 0 && (start >= content.length || isInsideCharacter(content[start])))
        throw invalidCall([{ parameter: 'from', code: 'out-of-range', detail: 'must be 0 or a `continues_at`' }]);
      return partOfFile(shown, content, start);
    },
  };
}

/** Returns why the file of an automation did not come: it was replaced meanwhile, or it is as it was. */
async function whyMissing(marketplace: UseCases['marketplace'], caller: Caller, { id, file }: Automation) {
  const now = await marketplace.readAutomation(caller, id);
  if (now.file?.sha256 !== file?.sha256) return new Problem('unavailable', 'The file was replaced. Read it again.');
  return new Problem('not-found', 'An operator has refused this file for everyone, or the store has lost it.');
}
