import type { Storage } from '../../domain/ports.js';

type Ports = Omit<Storage, 'supports' | 'search' | 'prepare' | 'ping' | 'check' | 'close'>;

/** The name of a method of a port, such as `keys.find`. */
export type Method = { [Port in keyof Ports]: `${Port}.${keyof Ports[Port] & string}` }[keyof Ports];

/** The name of a method that only reads. */
export type Read = Extract<Method, `${string}.${'find' | 'list' | 'count' | 'scan'}${string}`>;

/** The name of a method that writes. */
export type Write = Exclude<Method, Read>;
