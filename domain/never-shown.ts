/*
 * Characters that no reader sees, and in which a text may hide another one, such as instructions to an agent. They are
 * refused where no writing system and no emoji needs them.
 */

/** Those of the first plane that no text needs: formulas, formats and notes in signs that show nothing. */
export const NEVER_SHOWN = '\u2061-\u2065\u206A-\u206F\uFFF0-\uFFFB';
/** Those of other planes, but for tags and variation selectors. */
const NEVER_SHOWN_BEYOND = String.raw`\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0080}-\u{E00FF}\u{E01F0}-\u{E0FFF}`;

/** Tags spell out the flags of England, Scotland and Wales, and may spell out anything else. */
const TAG = String.raw`[\u{E0000}-\u{E007F}]`;
const FLAG_BEHIND = String.raw`(?=\p{RGI_Emoji_Tag_Sequence}(?!${TAG}))\u{1F3F4}`;

/** What a variation selector can vary: anything seen but the letters of ASCII, which have no other shapes. */
const VARIED = String.raw`[[\p{L}\p{N}\p{P}\p{S}\p{M}]--[\p{Variation_Selector}a-zA-Z]]`;

/** A character that shows nothing in itself, but joins, parts or directs others. Fillers take space. */
const SILENT = String.raw`[[\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]--[\u115F\u1160\u3164\uFFA0${TAG}]]`;
/** The most that writing needs is two, as in an emoji of several; more stand there by mistake. */
export const MAX_SILENT_IN_A_ROW = 4;

/** Finds the first character of each kind that is refused. */
export const HIDDEN = {
  neverShown: new RegExp(`[${NEVER_SHOWN}${NEVER_SHOWN_BEYOND}]|(?<!${TAG}|${FLAG_BEHIND})${TAG}`, 'v'),
  strayVariation: new RegExp(String.raw`(?<!${VARIED})\p{Variation_Selector}`, 'v'),
  silentRun: new RegExp(`${SILENT}{${MAX_SILENT_IN_A_ROW + 1}}`, 'v'),
} as const;
