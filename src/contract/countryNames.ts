/**
 * Code, English name and, where it differs, native name of every country, sorted by English name.
 * Written by scripts/country-names.mjs from countries-list 3.4.1 (MIT); edit that, not this.
 */
export const COUNTRY_NAMES = `AF|Afghanistan|افغانستان
AX|Aland|Åland
AL|Albania|Shqipëria
DZ|Algeria|الجزائر
AS|American Samoa
AD|Andorra
AO|Angola
AI|Anguilla
AQ|Antarctica
AG|Antigua and Barbuda
AR|Argentina
AM|Armenia|Հայաստան
AW|Aruba
AU|Australia
AT|Austria|Österreich
AZ|Azerbaijan|Azərbaycan
BS|Bahamas
BH|Bahrain|البحرين
BD|Bangladesh
BB|Barbados
BY|Belarus|Беларусь
BE|Belgium|België
BZ|Belize
BJ|Benin|Bénin
BM|Bermuda
BT|Bhutan|ʼbrug-yul
BO|Bolivia
BQ|Bonaire
BA|Bosnia and Herzegovina|Bosna i Hercegovina
BW|Botswana
BV|Bouvet Island|Bouvetøya
BR|Brazil|Brasil
IO|British Indian Ocean Territory
VG|British Virgin Islands
BN|Brunei|Negara Brunei Darussalam
BG|Bulgaria|България
BF|Burkina Faso
BI|Burundi
CV|Cabo Verde
KH|Cambodia|កម្ពុជា
CM|Cameroon
CA|Canada
KY|Cayman Islands
CF|Central African Republic|Ködörösêse tî Bêafrîka
TD|Chad|Tchad
CL|Chile
CN|China|中国
CX|Christmas Island
CC|Cocos (Keeling) Islands
CO|Colombia
KM|Comoros|Komori
CK|Cook Islands
CR|Costa Rica
HR|Croatia|Hrvatska
CU|Cuba
CW|Curacao|Curaçao
CY|Cyprus|Κύπρος
CZ|Czechia|Česko
CD|Democratic Republic of the Congo|République démocratique du Congo
DK|Denmark|Danmark
DJ|Djibouti
DM|Dominica
DO|Dominican Republic|República Dominicana
TL|East Timor|Timor-Leste
EC|Ecuador
EG|Egypt|مصر
SV|El Salvador
GQ|Equatorial Guinea|Guinea Ecuatorial
ER|Eritrea|ኤርትራ
EE|Estonia|Eesti
SZ|Eswatini
ET|Ethiopia|ኢትዮጵያ
FK|Falkland Islands
FO|Faroe Islands|Føroyar
FJ|Fiji
FI|Finland|Suomi
FR|France
GF|French Guiana|Guyane française
PF|French Polynesia|Polynésie française
TF|French Southern Territories|Territoire des Terres australes et antarctiques fr
GA|Gabon
GM|Gambia
GE|Georgia|საქართველო
DE|Germany|Deutschland
GH|Ghana
GI|Gibraltar
GR|Greece|Ελλάδα
GL|Greenland|Kalaallit Nunaat
GD|Grenada
GP|Guadeloupe
GU|Guam
GT|Guatemala
GG|Guernsey
GN|Guinea|Guinée
GW|Guinea-Bissau|Guiné-Bissau
GY|Guyana
HT|Haiti|Haïti
HM|Heard Island and McDonald Islands
HN|Honduras
HK|Hong Kong|香港
HU|Hungary|Magyarország
IS|Iceland|Ísland
IN|India|भारत
ID|Indonesia
IR|Iran|ایران
IQ|Iraq|العراق
IE|Ireland|Éire
IM|Isle of Man
IL|Israel|יִשְׂרָאֵל
IT|Italy|Italia
CI|Ivory Coast|Côte d'Ivoire
JM|Jamaica
JP|Japan|日本
JE|Jersey
JO|Jordan|الأردن
KZ|Kazakhstan|Қазақстан
KE|Kenya
KI|Kiribati
XK|Kosovo|Republika e Kosovës
KW|Kuwait|الكويت
KG|Kyrgyzstan|Кыргызстан
LA|Laos|ສປປລາວ
LV|Latvia|Latvija
LB|Lebanon|لبنان
LS|Lesotho
LR|Liberia
LY|Libya|ليبيا
LI|Liechtenstein
LT|Lithuania|Lietuva
LU|Luxembourg
MO|Macao|澳門
MG|Madagascar|Madagasikara
MW|Malawi
MY|Malaysia
MV|Maldives
ML|Mali
MT|Malta
MH|Marshall Islands|M̧ajeļ
MQ|Martinique
MR|Mauritania|موريتانيا
MU|Mauritius|Maurice
YT|Mayotte
MX|Mexico|México
FM|Micronesia
MD|Moldova
MC|Monaco
MN|Mongolia|Монгол улс
ME|Montenegro|Црна Гора
MS|Montserrat
MA|Morocco|المغرب
MZ|Mozambique|Moçambique
MM|Myanmar|မြန်မာ
NA|Namibia
NR|Nauru
NP|Nepal|नेपाल
NL|Netherlands|Nederland
NC|New Caledonia|Nouvelle-Calédonie
NZ|New Zealand
NI|Nicaragua
NE|Niger
NG|Nigeria
NU|Niue|Niuē
NF|Norfolk Island
KP|North Korea|북한
MK|North Macedonia|Северна Македонија
MP|Northern Mariana Islands
NO|Norway|Norge
OM|Oman|عمان
PK|Pakistan
PW|Palau
PS|Palestine|فلسطين
PA|Panama|Panamá
PG|Papua New Guinea|Papua Niugini
PY|Paraguay
PE|Peru|Perú
PH|Philippines|Pilipinas
PN|Pitcairn Islands
PL|Poland|Polska
PT|Portugal
PR|Puerto Rico
QA|Qatar|قطر
CG|Republic of the Congo|République du Congo
RE|Reunion|La Réunion
RO|Romania|România
RU|Russia|Россия
RW|Rwanda
BL|Saint Barthelemy|Saint-Barthélemy
SH|Saint Helena
KN|Saint Kitts and Nevis
LC|Saint Lucia
MF|Saint Martin|Saint-Martin
PM|Saint Pierre and Miquelon|Saint-Pierre-et-Miquelon
VC|Saint Vincent and the Grenadines
WS|Samoa
SM|San Marino
ST|Sao Tome and Principe|São Tomé e Príncipe
SA|Saudi Arabia|المملكة العربية السعودية
SN|Senegal|Sénégal
RS|Serbia|Србија
SC|Seychelles
SL|Sierra Leone
SG|Singapore
SX|Sint Maarten
SK|Slovakia|Slovensko
SI|Slovenia|Slovenija
SB|Solomon Islands
SO|Somalia|Soomaaliya
ZA|South Africa
GS|South Georgia and the South Sandwich Islands|South Georgia
KR|South Korea|대한민국
SS|South Sudan
ES|Spain|España
LK|Sri Lanka|śrī laṃkāva
SD|Sudan|السودان
SR|Suriname
SJ|Svalbard and Jan Mayen|Svalbard og Jan Mayen
SE|Sweden|Sverige
CH|Switzerland|Schweiz
SY|Syria|سوريا
TW|Taiwan|臺灣
TJ|Tajikistan|Тоҷикистон
TZ|Tanzania
TH|Thailand|ประเทศไทย
TG|Togo
TK|Tokelau
TO|Tonga
TT|Trinidad and Tobago
TN|Tunisia|تونس
TR|Türkiye
TM|Turkmenistan|Türkmenistan
TC|Turks and Caicos Islands
TV|Tuvalu
UM|U.S. Minor Outlying Islands|United States Minor Outlying Islands
VI|U.S. Virgin Islands|United States Virgin Islands
UG|Uganda
UA|Ukraine|Україна
AE|United Arab Emirates|دولة الإمارات العربية المتحدة
GB|United Kingdom
US|United States
UY|Uruguay
UZ|Uzbekistan|O'zbekiston
VU|Vanuatu
VA|Vatican City|Vaticano
VE|Venezuela
VN|Vietnam|Việt Nam
WF|Wallis and Futuna|Wallis et Futuna
EH|Western Sahara|الصحراء الغربية
YE|Yemen|اليَمَن
ZM|Zambia
ZW|Zimbabwe`
