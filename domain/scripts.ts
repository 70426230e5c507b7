/**
 * Scripts that are written together at the level Highly Restrictive of Unicode Technical Standard 39: Japanese, Chinese
 * and Korean, each with Latin.
 */
const TOGETHER = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang'];

/** The scripts of Unicode 15, which every version of Node.js that we support knows. */
const SCRIPTS = (
  'Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari ' +
  'Cham Cher Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Geor Glag Gong Gonm Goth ' +
  'Gran Grek Gujr Guru Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr ' +
  'Khoj Kits Knda Kthi Lana Laoo Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend ' +
  'Merc Mero Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Orya Osge ' +
  'Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd ' +
  'Sind Sinh Sogd Sogo Sora Soyo Sund Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai ' +
  'Tibt Tirh Tnsa Toto Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb'
).split(' ');

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const OF_ANY_SCRIPT = /[\p{scx=Common}\p{scx=Inherited}]/gu;

/**
 * Returns whether a word of the text mixes scripts beyond the level Highly Restrictive of UTS 39. Words end at whatever
 * is no letter, mark or digit. Scripts that are newer than our list count as one.
 */
export function mixesScripts(text: string): boolean {
  const words = text.match(WORD) ?? [];
  return words.some((word) => !isOfOneScript(word.replace(OF_ANY_SCRIPT, '')));
}

/** Makes each pattern when it is reached: most names need the first alone, and the engine keeps what it compiled. */
function isOfOneScript(letters: string): boolean {
  const consistsOf = (members: string) => new RegExp(`^[${members}]*$`, 'u').test(letters);
  return (
    TOGETHER.some((scripts) => consistsOf(membersOf(scripts))) ||
    SCRIPTS.some((script) => consistsOf(membersOf(script))) ||
    consistsOf(`^${membersOf(SCRIPTS.join(' '))}`)
  );
}

function membersOf(scripts: string): string {
  return scripts.replace(/\w+/g, '\\p{scx=$&}').replaceAll(' ', '');
}
