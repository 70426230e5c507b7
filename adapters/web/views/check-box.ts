const YES = ['1', 'on', 'true', 'yes'];

/** Returns whether the value of a check box says yes; one that is not checked sends none. */
export function isChecked(value: string | null): boolean {
  return value !== null && YES.includes(value);
}
