/** The version of this package; a constant, so that a bundle has it. A test compares it with package.json. */
export const VERSION = '0.1.0';
