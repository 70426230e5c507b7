/** Two names that look the same; no two rows look alike. */
export type Pair = readonly [string, string];

const CASE: readonly Pair[] = [
  ['Ada Lovelace', 'ADA lovelace'],
  ['Zoë', 'ZOË'],
  ['Łukasz', 'łUKASZ'],
  ['Ørsted', 'øRSTED'],
  ['Déjà vu', 'DÉJÀ VU'],
  ['Жанна', 'ЖАННА'],
  ['Τέλος', 'ΤΈΛΟΣ'],
  ['Գարուն', 'ԳԱՐՈՒՆ'],
  ['ᏣᎳᎩ', 'ꮳꮃꭹ'],
  ['თბილისი', 'ᲗᲑᲘᲚᲘᲡᲘ'],
  ['ТОКЕН', 'токен'],
];

const NORMAL_FORMS: readonly Pair[] = [
  ['Noël', 'Noe\u0308l'],
  ['Ångström', 'A\u030Angstro\u0308m'],
  ['한국', '\u1112\u1161\u11AB\u1100\u116E\u11A8'],
  ['Fullwidth', 'Ｆｕｌｌｗｉｄｔｈ'],
  ['カタカナ', 'ｶﾀｶﾅ'],
  ['fiord', 'ﬁord'],
  ['bold', '𝐛𝐨𝐥𝐝'],
  ['italic', '𝑖𝑡𝑎𝑙𝑖𝑐'],
  ['Script', '𝓢𝓬𝓻𝓲𝓹𝓽'],
  ['Fraktur', '𝔉𝔯𝔞𝔨𝔱𝔲𝔯'],
  ['Double', '𝔻𝕠𝕦𝕓𝕝𝕖'],
  ['Sans', '𝖲𝖺𝗇𝗌'],
  ['Typewriter', '𝚃𝚢𝚙𝚎𝚠𝚛𝚒𝚝𝚎𝚛'],
  ['year 42', 'year 𝟜𝟚'],
  ['circle', 'ⓒⓘⓡⓒⓛⓔ'],
  ['raised', 'ʳᵃⁱˢᵉᵈ'],
  ['Part IV', 'Part Ⅳ'],
  ['Kelvin', '\u212Aelvin'],
  ['long s', 'long ſ'],
];

const BLANKS: readonly Pair[] = [
  ['two blanks', 'two  blanks'],
  ['no break', 'no\u00A0break'],
  ['ideographic blank', 'ideographic\u3000blank'],
  ['en blank', 'en\u2002blank'],
  ['thin blank', 'thin\u2009blank'],
  ['narrow blank', 'narrow\u202Fblank'],
  ['braille blank', 'braille\u2800blank'],
];

const INVISIBLE: readonly Pair[] = [
  ['zero width', 'ze\u200Bro width'],
  ['non-joiner', 'non-joi\u200Cner'],
  ['joiner', 'joi\u200Dner'],
  ['word joiner', 'word\u2060 joiner'],
  ['soft hyphen', 'soft hy\u00ADphen'],
  ['grapheme joiner', 'graphe\u034Fme joiner'],
  ['crème', 'cre\u034F\u0300me'],
  ['byte order', '\uFEFFbyte order'],
  ['variation', 'variation\uFE0F'],
  ['tagged', 'tagged\u{E0041}'],
  ['filler', 'fil\u3164ler'],
  ['half filler', 'half fil\uFFA0ler'],
  ['vowel sign', 'vo\u180Ewel sign'],
  ['times', 'ti\u2062mes'],
  ['annotation', 'annota\uFFF9tion'],
];

const DIRECTION: readonly Pair[] = [
  ['left to right', 'left to\u200E right'],
  ['right to left', 'right to\u200F left'],
  ['Arabic letter', 'Arabic\u061C letter'],
  ['embedded', '\u202Aembedded\u202C'],
  ['override', '\u202Doverride\u202C'],
  ['isolated', '\u2066isolated\u2069'],
];

const WITHIN_ASCII: readonly Pair[] = [
  ['Slack', 'SIack'],
  ['Pixel', 'Plxel'],
  ['Lyft', '1yft'],
  ['Nile', 'Ni|e'],
  ['modern', 'rnodern'],
  ['Amazon', 'Arnazon'],
  ['microsoft', 'micr0soft'],
  ['OpenStack', '0penStack'],
  ['wave', 'vvave'],
  ['Williams', 'VViIIiarns'],
  ["O'Neill", 'O`NeiIl'],
];

const LATIN: readonly Pair[] = [
  ['silent', 'sılent'],
  ['alpha', 'ɑlpha'],
  ['good', 'ɡood'],
  ['curve', 'ᴄurve'],
  ['Zazen', 'Zaᴢen'],
  ['ivory', 'iᴠory'],
  ['tough', 'tᴏugh'],
  ['phase', 'phaꜱe'],
  ['aether', 'æther'],
  ['oeuvre', 'œuvre'],
  ['bishop', 'bi\u0307shop'],
  ['ipek', 'İpek'],
];

const CYRILLIC: readonly Pair[] = [
  ['ace', 'асе'],
  ['HOBO', 'НОВО'],
  ['Cocoa', 'Сосоа'],
  ['scope', 'ѕсоре'],
  ['Jess', 'Јеѕѕ'],
  ['PayPal', 'PаyPal'],
  ['Google', 'Gооgle'],
  ['Oracle', 'Оracle'],
  ['Exxon', 'Eххon'],
  ['Yahoo', 'Уahoo'],
  ['dove', 'ԁove'],
  ['queen', 'ԛueen'],
  ['Hertz', 'Неrtz'],
  ['Kodak', 'Кodak'],
  ['Twitch', 'Тwitch'],
  ['palm', 'paӏm'],
  ['hello', 'һello'],
  ['token maker', 'tоken maker'],
];

const GREEK: readonly Pair[] = [
  ['TATA', 'ΤΑΤΑ'],
  ['NIKE', 'ΝΙΚΕ'],
  ['Sony', 'Sοny'],
  ['Volvo', 'νolvo'],
  ['Bosch', 'Βosch'],
  ['Metro', 'Μetro'],
  ['Ruby', 'Rυby'],
  ['Harp', 'Harρ'],
  ['Gypsum', 'Gγpsum'],
  ['Xerox', 'Χerox'],
];

const OTHER_SCRIPTS: readonly Pair[] = [
  ['Uno', 'Սոօ'],
  ['hour', 'հour'],
  ['quiz', 'գuiz'],
  ['DAWS', 'ᎠᎪᎳᏚ'],
  ['LAST', 'ᏞᎪᏚᎢ'],
  ['PLATO', 'ꓑꓡꓮꓔꓳ'],
  ['FUND', 'ꓝꓴꓠꓓ'],
  ['Elf', 'Eӏf'],
  ['room 101', 'room 1٥1'],
  ['zone 20', 'zone 2०'],
  ['line 30', 'line 3๐'],
  ['row 80', 'row ৪0'],
  ['gate 90', 'gate ৭0'],
  ['hall 00', 'hall 〇〇'],
  ['Yogi', 'ყogi'],
  ['Tifo', 'Tifⵔ'],
];

const SIGNS: readonly Pair[] = [
  ['ada-smith', 'ada\u2010smith'],
  ['ada-jones', 'ada\u2013jones'],
  ['ada-brown', 'ada\u2212brown'],
  ['ada-green', 'ada－green'],
  ["D'Arcy", 'D\u2019Arcy'],
  ["L'Oreal", 'L\u02BCOreal'],
  ['Estimate', '℮stimate'],
  ['Box', 'Bo×'],
];

/** Names of which the second looks like the first: a store gives a pair to one developer. */
export const LOOK_ALIKES: readonly Pair[] = [
  ...[CASE, NORMAL_FORMS, BLANKS, INVISIBLE, DIRECTION, WITHIN_ASCII, LATIN],
  ...[CYRILLIC, GREEK, OTHER_SCRIPTS, SIGNS],
].flat();

/** Names that nobody else has, of many scripts. */
export const HONEST_NAMES: readonly string[] = [
  ...['Zoë & Söhne', 'Zoe Sohne', 'Łukasz', 'Lukasz', 'Ørsted', 'Orsted', 'İpek Yolu', 'Ece Işık', 'Nguyễn Văn An'],
  ...['Šárka Žižková', 'Ógra', 'Þórr', 'Straße 7', 'François', "O'Brien", 'Jean-Luc', 'R&D', 'C++ Club', '3D Print'],
  ...[
    '東京Tokyo工房',
    'カタカナ',
    'ひらがなAI',
    '日本語とEnglish',
    '서울Seoul',
    '한국어',
    '漢字',
    '中文App',
    'ㄅㄆㄇ注音',
  ],
  ...['مطوّر', 'علی‌رضا', 'שלום עולם', 'हिन्दी', 'ไทยแลนด์', 'தமிழ்', 'ಕನ್ನಡ', 'বাংলা', 'ქართული', 'Հայերեն', 'አማርኛ'],
  ...['Ελλάδα', 'Дмитрий', 'IT-компания', 'Ada Лтд', 'Київ 2', 'ᏣᎳᎩ', 'မြန်မာ', 'ភាសាខ្មែរ', 'ລາວ', 'བོད་ཡིག'],
  ...['Zoë 👩‍👩‍👧', '🙂 x'],
];
