const FIRST_NAMES =
  'Ada Adam Aisha Alan Alena Ali Alice Amelia Anna Arthur Ben Bernard Björn Carla Chloé Clara Daniel Elif Emil Emma ' +
  'Eric Fatima Félix George Hannah Hugo Ida Ines Ivan Jan José Julia Karim Lena Liam Lily Marta Milan Noah Zoë';
const LAST_NAMES =
  'Andersen Bauer Brown Clark Dubois Evans García Hill Ivanova Jones Kim Kowalski Larsen Lee Martin Miller Moreau ' +
  'Müller Nguyen Novák O’Brien Rossi Silva Williams Yılmaz';

/** 1,000 names: each first name with each last name. */
export const ORDINARY_NAMES: readonly string[] = FIRST_NAMES.split(' ').flatMap((first) =>
  LAST_NAMES.split(' ').map((last) => `${first} ${last}`),
);
