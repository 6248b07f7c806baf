/** The length of an IBAN in each country that has them, from the IBAN registry of ISO 13616 (SWIFT). */
export const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27' +
    'GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22' +
    'MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28' +
    'TL23TN24TR26UA29VA22VG24XK20YE30'
  )
    .match(/..\d\d/g)
    ?.map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]) ?? [],
)

/** Whether a payment to a bank of this country (ISO 3166-1, two letters) takes a branch code beside the account number. */
export function takesBranchCode(country: string): boolean {
  return country === 'GB' || !Object.hasOwn(IBAN_LENGTHS, country)
}

/** Whether it says if the account is a checking or a savings account. */
export function takesAccountType(country: string): boolean {
  return country === 'US'
}
