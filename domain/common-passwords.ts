/** Passwords of 12 characters and more that are high in the lists of leaked passwords, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  aaaaaaaaaaaa aaaaaaaaaaaaa abcabcabcabc abcdefghijkl abcdefghijklm abcdefg12345 abcdef123456 abc123abc123
  a1b2c3d4e5f6 qwertyuiopas qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwerty123456 qwerty1234567 qwerty12345678
  asdfghjkl123 asdfghjkl1234 zxcvbnm12345 000000000000 111111111111 121212121212 123123123123 123321123321
  123456123456 123456654321 1234567890123 12345678901234 123456789012 123456789123 123456789abc 123456789qwe
  12345qwert12 112233445566 012345678910 0123456789012 098765432109 987654321012 999999999999 password1234
  password12345 password123456 password123! password2024 password2025 password2026 passwordpassword p@ssw0rd1234
  passw0rd1234 welcome12345 welcome123456 letmein12345 changeme1234 iloveyou1234 iloveyou12345 iloveyou!!!!
  adminadminadmin admin1234567 administrator1 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv zaq12wsxcde3
  zaq1xsw2cde3 qazwsxedcrfv qazwsxedcrfvtgb zaqxswcdevfr q1w2e3r4t5y6 q1w2e3r4t5y6u7 qwer1234asdf qwer1234qwer
  qwerasdfzxcv qweasdzxc123 123qweasdzxc 1234qwerasdf 1234qwerasdfzxcv qwe123qwe123 qwerty123qwerty 123qwe123qwe
  1a2b3c4d5e6f aa1234567890 a12345678901 asdf1234asdf asdfqwer1234 147258369147 147852369147 159753159753
  11223344556677 1122334455667788 102030405060 123654789123 987654321987 314159265358 3.1415926535 3.14159265359
  271828182845 789456123789 010203040506 741852963741 1234567891011 correcthorsebatterystaple trustno1trustno1
  thisismypassword thisisapassword mypasswordis nopasswordhere letmeinplease letmeinletmein opensesame123
  changemeplease changethispassword passw0rdpassw0rd pleaseletmein ilovemyself1 ilovemymother ilovemyfamily
  ilovemykids1 ilovemybaby1 iloveyoumore iloveyousomuch iloveyou4ever iloveyouforever loveyouforever iloveyoubabe
  iloveyoubaby iloveyoujesus ilovejesus12 jesuslovesme jesuschrist1 jesusislord1 godisgood123 godislove123
  godblessyou1 thankyoujesus thankyougod1 inshallah123 bismillah123 alhamdulillah allahuakbar1 praisethelord
  manchesterunited manchestercity manchester12 liverpoolfc1 realmadrid123 barcelona123 fcbarcelona1 chelseafc123
  arsenalfc123 juventus1897 dallascowboys steelersnation newyorkyankees redsoxnation greenbaypackers losangeles12
  newyorkcity1 sanfrancisco washington12 harrypotter1 harrypotter7 hogwarts1234 starwars1234 maytheforcebewithyou
  lordoftherings gameofthrones winteriscoming spongebob123 spongebobsquarepants hannahmontana justinbieber1
  onedirection1 michaeljackson michaeljordan23 linkinpark123 avengedsevenfold metallica123 greenday1234 slipknot1234
  myfamily1234 mychemicalromance callofduty123 grandtheftauto minecraft123 worldofwarcraft counterstrike
  leagueoflegends assassinscreed pokemon12345 finalfantasy7 finalfantasy starcraft123 blizzard1234 dragonballz1
  narutouzumaki motherfucker motherfucker1 fuckyoubitch fuckthisshit fuckyouall12 fuckeverything suckmydick123
  goodbyeworld helloworld12 hello1234567 unbelievable relationship independence independence1 philadelphia1
  philadelphia pennsylvania massachusetts northcarolina southcarolina california123 switzerland1 madagascar123
  australia123 argentina123 bangladesh12 pakistanzindabad indonesia123 philippines1 vietnam12345 babyblue1234
  babygirl1234 beautiful123 butterfly123 cheerleader1 chocolate123 cinnamon1234 strawberry12 watermelon12 bubblegum123
  marshmallow1 peanutbutter peanutbutter1 jellybean123 sweetheart12 sweethearts1 bestfriends4ever bestfriend12
  bestfriends1 forever21ever gangsta12345 skateboard12 snowboarding volleyball12 softball1234 cheerleading
  gymnastics12 rockandroll1 heavymetal66 thegreatest1 alexander123 christopher1 christopher123 elizabeth123
  stephanie123 christine123 katherine123 catherine123 alejandra123 alejandro123 valentina123 sebastian123 guadalupe123
  maximilian12 benjamin1234 nicholas1234 victoria1234 samantha1234 isabella1234 gabriela1234 administrator
  administrador supervisor12 root12345678 rootpassword toor12345678 testtesttest testpassword defaultpassword
  temporarypassword temppassword1 temppass1234 newpassword1 yourpassword1 securepassword supersecret12 topsecret1234
  secretpassword database1234 postgres1234 mysqlpassword oracle123456 cisco1234567 raspberry123 vagrant12345
  ubuntu123456 jenkins12345 gitlab123456 internet1234 computer1234 microsoft123 windows12345 google123456 facebook1234
  linkedin1234 youtube12345 samsung12345 blackberry12 november2020 december2020 january12345 february1234 september123
  september11th october12345 wednesday123 thursday1234 saturday1234 contrasena123 contraseña123 motdepasse123
  motdepasse12 passwort1234 passwort12345 geheim123456 wachtwoord123 senha1234567 parola123456 azertyuiop123
  azertyuiop12 azerty123456 jetaimemonamour doudou123456 chouchou1234 loulou123456 soleil123456 bonjour12345
  teamomucho123 teamomucho12 tequieromucho estrella1234 mariposa1234 princesa1234 corazon12345 schatz123456
  ichliebedich ichliebedich1 hallo1234567
  `
    .trim()
    .split(/\s+/),
);
