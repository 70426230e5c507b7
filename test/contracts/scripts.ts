/** A text, searches that find it, and searches that do not. */
export interface ScriptRow {
  readonly text: string;
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

const row = (text: string, found: readonly string[], missing: readonly string[] = []): ScriptRow => ({
  text,
  found,
  missing,
});

/** What people type, and what they mean by it, in each script. Each text is a title in one automation only. */
export const SCRIPTS: Readonly<Record<string, readonly ScriptRow[]>> = {
  'Latin letters with accents': [
    row('Crème brûlée', ['creme brulee', 'CRÈME', 'brul'], ['creme brul fraiche', 'reme']),
    row('Straße nach Düsseldorf', ['strasse', 'STRASSE dussel', 'straße'], ['stra nach', 'strase']),
    row('Da Nang, Đà Nẵng', ['da nang', 'đà nẵng', 'nang đa'], ['nag']),
  ],
  'Latin letters that have no accent, but look so': [
    row('Kapı açık', ['kapi', 'KAPI', 'kapı', 'acik'], ['kap acik']),
    row('ısparta', ['isparta', 'Isparta', 'İsparta']),
    row('Łódź', ['lodz', 'ŁÓDŹ', 'łodz'], ['odz']),
    row('Østerbro Ørsted', ['osterbro', 'østerbro orsted'], ['oesterbro']),
    row('Đặng', ['dang']),
    row('Ægir œuvre', ['aegir', 'oeuvre ægi'], ['agir']),
    row('Þór Óðinn', ['thor', 'odinn', 'þor']),
    row('Ħamrun ŧest ŋoma', ['hamrun test noma', 'ħam']),
    row('ꜱʟᴀᴄᴋ ᴛᴏ ɢᴍᴀɪʟ', ['slack gmail']),
    row('Oʻzbek', ["o'zbek", 'oʻzbek', 'o’zbek']),
  ],
  'forms that are the same letter': [
    row('ﬁle ＡＢＣ ２４ ① 𝐁𝐨𝐥𝐝', ['file abc', '24', '1', 'bold'], ['fle']),
    row('co\u200Bop soft\u00ADware ☎\uFE0F', ['coop', 'software'], ['ware']),
  ],
  'signs after a letter': [
    row('Build with C#', ['c#', 'C#', 'C♯', 'c＃', 'c'], ['c++', 'c# x']),
    row('Build with C++, quickly', ['c++', 'c+', 'c'], ['c#', 'c+++']),
    row('Build with F#', ['f#', 'build f#'], ['c#']),
    row('Clean code in C', ['c', 'clean c'], ['c#', 'c++']),
    row('A+B testing', ['a b testing', 'a+b', 'b a'], ['a+ testing']),
    row('Port c++11 and c++20', ['c++', 'c++11', 'c++20', 'c++ 11', '20 c++ 11', 'c++1'], ['c#', 'c++12', 'c++ 1 x']),
    row('C#9 in depth', ['c#', 'c# 9', 'c#9'], ['c++', 'c#8']),
    row('C++开发工具', ['c++', 'c++ 开发', '开发 c++', '工具', 'c++开发'], ['c#', 'c++ 具工']),
    row('C#编程入门', ['c#', 'c# 编程', '入门 c#'], ['c++', 'c# 门入']),
    row('C#で作るツール', ['c# で', 'で c#', 'c#', 'ツール c#'], ['c++', 'c# ルツ']),
    row('C++입문', ['c++', 'c++ 입문', '입문 c++', '입'], ['c#', '문']),
    row('.NET and Node.js', ['.net', 'net', 'node.js', 'node js'], ['nodejs']),
    row('Phone #1, +1 555', ['1', '#1', '+1 555'], ['2']),
  ],
  Greek: [row('Οδυσσεύς', ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευ'], ['δυσσευς'])],
  Cyrillic: [row('Ёлка и Йога', ['елка', 'ёлка йог', 'ЙОГА'], ['лка'])],
  Hebrew: [row('שָׁלוֹם עולם', ['שלום', 'שָׁלוֹם עול'], ['לום'])],
  Arabic: [
    row('مـرحبا بكم', ['مرحبا', 'مرحـبا', 'مَرْحَبًا بك'], ['رحبا']),
    row('كتاب', ['کتاب', 'كِتَاب', 'ﻛﺘﺎﺏ'], ['تاب']),
    row('مكتبة كبيرة', ['مكتبه', 'مكتبة كبير'], ['مكتبات']),
    row('على مستشفى', ['علي', 'مستشفي', 'علی'], ['عل مستشفى']),
    row('أحمد إلى آخر ٱسم', ['احمد', 'الى اخر', 'اسم'], ['حمد']),
    row('مسؤول شئون', ['مسوول', 'شيون'], []),
  ],
  'Persian and Urdu': [
    row('کتاب فارسی', ['كتاب', 'فارسي', 'فارسی'], ['ارسی']),
    row('خانهٔ ما', ['خانه', 'خانة', 'خانۀ'], []),
    row('می\u200Cخواهم', ['میخواهم', 'می\u200Cخواهم', 'ميخوا'], []),
    row('کہانی', ['کهانی'], []),
  ],
  digits: [
    row('Plan 3', ['3', '۳', '٣', '३', '๓', '３'], ['4', '۴']),
    row('طرح ۲۴', ['24', '٢٤', '۲'], ['42', '۴']),
    row('แผน ๗ ၅ ៩ ໑', ['7', '5', '9', '1'], ['8']),
    row('𞥐𞥙 and 𑛙𑛐', ['09', '90', '𞥐'], ['19']),
  ],
  Devanagari: [row('हिन्दी में खोज', ['हिन्दी', 'हिन्द', 'खोज में'], ['न्दी', 'हन्दी'])],
  Korean: [row('이메일 보내기', ['이메일', '이메', '보내기 이'], ['메일', '일'])],
  Chinese: [
    row(
      '上海天气预报',
      ['上海', '海', '上', '天气', '上海天气', '海天', '报', '预报'],
      ['海上', '上天', '上海预报', '报预'],
    ),
    row('海上运输', ['海上', '海', '上运', '运输'], ['上海', '海运']),
    row('海洋与上帝', ['海 上', '上 海', '与'], ['上海', '海上']),
    row(
      '自动化AI助手2024年',
      ['自动化', 'ai 助手', '自动化ai', '2024', '年', '自动化AI助手2024年'],
      ['化助', '动自', '自动 化自'],
    ),
    row('数据库,据库存', ['数据库', '据库存', '数据 库存'], ['数据库存']),
    row('㍿東京', ['株式会社', '東京'], ['社東京会']),
  ],
  Japanese: [
    row('リングを買う', ['リング', 'ﾘﾝｸﾞ', 'リン', 'グ', '買う', 'を'], ['グリン', 'リンク', 'リング買']),
    row('自動化、リンクとマーケティング', ['自動化 リンク', 'リンク 自動化'], ['自動化 リング', 'リング 自動化']),
    row('リンクとマーケティング', ['リンク', 'マーケティング', 'ティン'], ['リング', 'とリンク']),
    row('サーバーを自動化', ['サーバー', 'サーバ', 'サーバー 自動化'], ['バサ', 'サーバー自動']),
    row('ガス', ['ガス', 'ｶﾞｽ', 'カ\u3099ス'], ['カス']),
  ],
  Thai: [
    row('ส่งอีเมลอัตโนมัติ', ['อีเมล', 'ส่ง', 'อัตโนมัติ', 'อีเม'], ['เมลอี', 'ส่งอัตโนมัติ', 'อเมล']),
    row('สรุปรายงานทุกวัน', ['รายงาน', 'ทุกวัน', 'วัน', 'สรุป ทุกวัน'], ['วันทุก', 'สรุปทุกวัน']),
    row('น้ำและทำงาน', ['น้ำ', 'ทำงาน', 'ทำ'], ['งานทำ', 'น้ำทำ']),
    row('กิน xyzzy', ['ก', 'กิ', 'xyzzy ก', 'กิ xyzzy', 'น xyzzy'], ['ก xyzzy', 'ก กิ']),
    row('กบ xyzzy', ['ก', 'ก xyzzy', 'บ xyzzy', 'xyzzy ก', 'กบ'], ['กิ', 'กิ xyzzy']),
  ],
  Lao: [row('ສົ່ງອີເມວອັດຕະໂນມັດ', ['ອີເມວ', 'ສົ່ງ', 'ອັດຕະໂນມັດ'], ['ເມວອີ', 'ສົ່ງອັດ'])],
  Khmer: [
    row('ផ្ញើអ៊ីមែលដោយស្វ័យប្រវត្តិ', ['អ៊ីមែល', 'ផ្ញើ', 'ស្វ័យប្រវត្តិ'], ['មែលអ៊ី', 'ផ្ញើដោយ']),
    row('ផ្ញើ\u200Bអ៊ីមែល', ['ផ្ញើអ៊ីមែល', 'អ៊ីមែល'], ['មែលផ្ញើ']),
  ],
  Burmese: [row('အီးမေးလ်ပို့ပါ', ['အီးမေးလ်', 'ပို့', 'ပို့ပါ'], ['ပါပို့', 'မေးပို့'])],
};
