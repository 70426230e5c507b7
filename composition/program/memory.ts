import { totalmem } from 'node:os';

const MIB = 1024 ** 2;

/** Of the process that serves: docs/settings.md, "Memory", has the figures. */
export const MIN_MEMORY_MIB = 256;

/** Returns a sentence for a machine or a container with less memory than the service needs; else undefined. */
export function memoryWarning(bytes = memoryBytes()): string | undefined {
  if (bytes >= MIN_MEMORY_MIB * MIB) return undefined;
  const available = Math.floor(bytes / MIB);
  return `the service has ${available} MiB of memory and needs ${MIN_MEMORY_MIB}; under load the system may end it`;
}

/** Returns the memory of the machine, or the limit of the container. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
