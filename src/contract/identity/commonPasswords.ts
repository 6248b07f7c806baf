/**
 * Whether a password is one of a few hundred that lead every published list of leaked ones, or a single character
 * repeated. Ignores case and the form of accents. Passwords under eight characters are not listed: the length rule
 * refuses them.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  return COMMON.has(text) || /^(.)\1*$/su.test(text)
}

const COMMON: ReadonlySet<string> = new Set(
  `
  password password1 password12 password123 password1234 passw0rd passw0rd1 p@ssw0rd p@ssword pa55word
  passwort passwort1 motdepasse contraseña contrasena senha123 wachtwoord parola123 12345678 123456789
  1234567890 12345678910 123456789a 123456789q 0123456789 01234567 87654321 987654321 0987654321 9876543210
  11223344 1122334455 112233445566 123123123 1231231231 123321123 12341234 1234512345 12344321 123454321
  1234554321 12121212 13131313 10203040 1020304050 102030405060 147258369 147852369 159357456 159753456
  789456123 741852963 963852741 456789123 123789456 147896325 321654987 19851985 19871987 20002000 20102010
  20202020 31415926 314159265 27182818 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 qazwsxedc qazwsxedcrfv zaq12wsx
  zaq1zaq1 zaq1xsw2 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1234qwer qwer1234
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuio qwertyuiop qwertzui qwertzuiop
  qwerqwer qweasdzxc qweasd123 qwe123qwe qweqweqwe 123qweasd 123qweasdzxc 123qwe123 1234qwerasdf qwaszx12
  asdfghjk asdfghjkl asdfasdf asdf1234 asdfqwer asdasdasd asd123asd asdqwe123 zxcvbnm1 zxcvbnm123
  zxcvbnmasdfghjkl zxcvbnm, zxczxczxc zxcasdqwe azertyui azertyuiop azerty123 aqwzsxedc 1a2b3c4d a1b2c3d4
  a1b2c3d4e5 abc12345 abc123456 abcd1234 abcd12345 abcde123 abcdef12 abcdefgh abcdefghi abcdefghij abcdefg1
  abcabcabc abcdabcd aa123456 aa12345678 a1234567 a12345678 a123456789 q1234567 q12345678 q123456789
  qq123456 qq123456789 w12345678 z1234567 z12345678 zz123456 asd12345 asd123456 123456aa 123456ab 123456abc
  123456qwe 1234abcd 12345abc 12345qwe 12345qwert 123456qwerty 12345678a 12345678q 1234567a 1234567q
  0000000a iloveyou iloveyou1 iloveyou2 iloveyou3 iloveyou12 iloveyou123 iloveu123 ilovegod ilovejesus
  iloveme1 iloveyou! loveyou1 loveme123 lovely123 lovelove loveloves mylove123 sweetheart sweetie1 beautiful
  beautiful1 princess princess1 princess12 princess123 princesa tequiero teamomucho teamo123 jetaime1
  chocolate chocolate1 butterfly butterfly1 sunshine sunshine1 sunshine123 sunflower rainbow1 starlight
  moonlight midnight summer12 summer123 summertime winter123 spring123 autumn123 december november september
  october1 february monday123 friday13 football football1 football12 football123 baseball baseball1
  basketball basketball1 basketba volleyball swimming softball hockey123 soccer12 soccer123 fussball
  superman superman1 spiderman spiderman1 batman123 batman12 ironman1 wolverine starwars starwars1 startrek
  pokemon1 pokemon123 pikachu1 minecraft minecraft1 minecraft123 fortnite fortnite1 fortnite123 roblox123
  nintendo playstation gameover gandalf1 dragon12 dragon123 dragonball naruto123 liverpool liverpool1
  arsenal1 chelsea1 manchester manutd123 barcelona barcelona1 realmadrid juventus juventus1 galatasaray
  fenerbahce besiktas welcome1 welcome12 welcome123 welcome1234 welcome2 letmein1 letmein12 letmein123
  changeme changeme1 changeme123 changeit administrator admin123 admin1234 admin12345 admin123456 adminadmin
  root1234 rootroot toor1234 user1234 username default1 guest123 temp1234 temporary test1234 test12345
  testtest testing1 testing123 tester12 demo1234 demodemo example1 master12 master123 mustang1 shadow12
  shadow123 monkey12 monkey123 hunter12 secret12 secret123 secret1234 topsecret computer computer1 internet
  internet1 network1 windows1 windows10 microsoft google123 googlegoogle facebook facebook1 facebook123
  linkedin linkedin1 youtube1 samsung1 samsung123 iphone123 whatever whatever1 nothing1 anything something
  trustno1 trustnoone michelle michelle1 michael1 michael123 jennifer jennifer1 jessica1 jessica123 danielle
  danielle1 victoria victoria1 veronica stephanie elizabeth elizabeth1 alexander alexander1 alexandra
  alexandre alejandro alejandra benjamin benjamin1 christian christian1 christine christina christopher
  jonathan jonathan1 samantha samantha1 nicholas matthew1 anthony1 anthony123 brandon1 charlie1 charlie123
  daniel12 daniel123 thomas123 robert123 andrew123 joshua12 joshua123 william1 caroline carolina fernando
  francisco gabriel1 gabriela isabella isabelle katherine madeline margarita sebastian valentina patricia
  patrick1 rebecca1 richard1 vanessa1 bigdaddy babygirl babygirl1 babygirl12 babygirl123 babyboy1 angel123
  angels123 cookie123 cupcake1 cheese123 pumpkin1 blink182 metallica metallica1 slipknot slipknot1 nirvana1
  greenday ladygaga eminem123 hello123 hello1234 hello12345 hellohello helloworld hello2you goodluck
  goodbye1 jesus123 jesuschrist godisgood blessed1 faithful heavenly freedom1 forever1 friends1 friendship
  family123 mother12 mommy123 daddy123 motherlode america1 canada123 australia germany1 deutschland england1
  scotland brazil123 indonesia pakistan pakistan1 india123 mexico123 colombia argentina newyork1 california
  california1 chicago1 lasvegas mercedes mercedes1 porsche1 ferrari1 corvette lamborghini harley123 yamaha12
  suzuki12 elephant dolphin1 dolphins tigger12 tigger123 scooter1 snoopy12 penguin1 cowboys1 steelers
  yankees1 redskins lakers24 lakers123 eagles12 packers1 bitcoin1 bitcoin123 ethereum crypto123 blockchain
  satoshi1 tothemoon hodlhodl money123 moneymoney millionaire richrich dollar123 investor investing trading1
  trader123 correcthorsebatterystaple thisisapassword mypassword mypassword1 yourpassword newpassword
  newpassword1 oldpassword nopassword passpass pass1234 pass12345 passpass1 passcode access14 login123
  loginlogin qwerty1! 1qaz@wsx !qaz2wsx abc@1234 abcd@1234 admin@123 welcome@123 password! password1!
  password@123 pass@123 pass@1234 test@123 india@123
`
    .trim()
    .split(/\s+/),
)
