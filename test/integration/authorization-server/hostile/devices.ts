import type { Visitor } from '../../../support/panel-visitor.js';
import type { Sent } from '../../../support/socket.js';
import { pathOf, type Client, type Fields, type Market } from './market.js';

export const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const XSRF = /name="xsrf" value="([^"]*)"/;

export interface Device {
  readonly device_code: string;
  readonly user_code: string;
}

/** A program that shows codes, and the people who enter them. */
export class Devices {
  constructor(
    private readonly market: Market,
    readonly app: Client,
  ) {}

  async start(client = this.app, changes: Fields = {}): Promise<Device> {
    const { body } = await this.market.postAs(client, '/device/auth', { scope: 'automations:read', ...changes });
    return JSON.parse(body) as Device;
  }

  poll({ device_code: code }: Pick<Device, 'device_code'>, client = this.app, changes: Fields = {}): Promise<Sent> {
    return this.market.postAs(client, '/token', { ...this.fieldsOf(code), ...changes });
  }

  /** Returns the parameters with which a device code is exchanged. */
  fieldsOf(code: string): Fields {
    return { grant_type: GRANT, device_code: code };
  }

  /** Opens the form, and returns the value that proves that it is of this browser. */
  async open(visitor = this.market.ada): Promise<string> {
    return XSRF.exec((await visitor.open('/oauth/device')).body)?.[1] ?? '';
  }

  async enter(fields: Fields, visitor = this.market.ada): Promise<Sent> {
    const form = { xsrf: await this.open(visitor), ...fields };
    return visitor.submit('/oauth/device', form, { withToken: false });
  }

  /** Enters and confirms the code, and returns the path of the question. */
  async confirm({ user_code: code }: Device, visitor = this.market.ada): Promise<string> {
    await this.enter({ user_code: code }, visitor);
    const path = pathOf(await this.enter({ user_code: code, confirm: 'yes' }, visitor));
    await visitor.open(path);
    return path;
  }

  async allow(device: Device, visitor?: Visitor): Promise<Sent> {
    return this.market.answer(await this.confirm(device, visitor), 'allow', visitor);
  }

  /** Returns the last record of a device that was written. */
  get stored(): { readonly id: string; readonly userCode: string } {
    const record = this.market.written.findLast((text) => text.includes('"kind":"device-code"')) ?? '';
    return JSON.parse(record) as { readonly id: string; readonly userCode: string };
  }
}

/** Returns the status, and the problem that the page tells the person. */
export function problemIn({ status, body }: Sent): string {
  return `${status} ${/role="alert">(?:<p>)?([^<]*)</.exec(body)?.[1] ?? ''}`;
}
