/** Drawings of 24 by 24, in the colour of the text around them. */
const SHAPES = {
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  home: '<path d="M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4v-5h-6v5H5a1 1 0 0 1-1-1z"/>',
  box: '<path d="m12 3 8 4.5v9L12 21l-8-4.5v-9z"/><path d="m4 7.5 8 4.5 8-4.5M12 12v9"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 8.5-8.5M16 7l3 3"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>',
  person: '<circle cx="12" cy="8.5" r="3.5"/><path d="M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5"/>',
  people:
    '<circle cx="9" cy="9" r="3"/><path d="M3 19c.5-3 2.8-4.5 6-4.5s5.5 1.5 6 4.5M16 6.2a3 3 0 0 1 0 ' +
    '5.6M17.5 14.8c2 .5 3.2 1.9 3.5 4.2"/>',
  folder:
    '<path d="M3.5 7a1.5 1.5 0 0 1 1.5-1.5h4.5l2 2.5H19a1.5 1.5 0 0 1 1.5 1.5V17A1.5 1.5 0 0 1 19 ' +
    '18.5H5A1.5 1.5 0 0 1 3.5 17z"/>',
  list: '<path d="M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01"/>',
  shop:
    '<path d="M5 10v9a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-9M3.5 9.5 5.5 4h13l2 5.5a2.8 2.8 0 0 1-5.6 0 2.8 ' +
    '2.8 0 0 1-5.7 0 2.8 2.8 0 0 1-5.7 0"/>',
  code: '<path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  check: '<circle cx="12" cy="12" r="8.5"/><path d="m8.5 12.2 2.5 2.5 4.8-5"/>',
  circle: '<circle cx="12" cy="12" r="8.5"/>',
  warning: '<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2h.01"/>',
  panel: '<rect x="3.5" y="4.5" width="17" height="15" rx="2"/><path d="M9 4.5v15"/>',
  window: '<rect x="3.5" y="4.5" width="17" height="15" rx="2"/><path d="M3.5 9h17M6.5 6.8h.01M9 6.8h.01"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  link:
    '<path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 ' +
    '18.7l1-1"/>',
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof SHAPES;

/** Returns the markup of a drawing, which tells nothing that the text next to it does not say. */
export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name]}</svg>`;
}
