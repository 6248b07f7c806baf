import { IBAN_LENGTHS } from '../../../contract/money/bankCountries.ts'

/** How accounts are named in one country. */
export interface BankCountry {
  /** The label of `accountNumber`. */
  account: string
  /** The label of `branchCode`; null where the account number contains it. */
  branch: string | null
  branchHint?: string
  /** Returns the error for the typed text, or null. Not called for blank fields. */
  accountProblem: (typed: string) => string | null
  branchProblem: (typed: string) => string | null
}

/** Every country, as ISO 3166-1 two-letter codes in one string. A test compares it with the profile's list. */
const CODES =
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSXKYEYTZAZMZW'

/** By English name. */
export function listBankCountries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  return (CODES.match(/../g) ?? [])
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((left, right) => left.label.localeCompare(right.label, 'en'))
}

/** The code for the country of a profile, or blank if its name is not known here. */
export function findCountryCode(name: string): string {
  return listBankCountries().find(({ value, label }) => label === name || value === name)?.value ?? ''
}

export function getBankCountry(code: string): BankCountry {
  if (Object.hasOwn(OWN_RULES, code)) return OWN_RULES[code] ?? ELSEWHERE
  return Object.hasOwn(IBAN_LENGTHS, code) ? buildIbanCountry(code) : ELSEWHERE
}

const skipCheck = () => null

const ELSEWHERE: BankCountry = {
  account: 'Account number',
  branch: 'Branch code',
  branchHint: 'Or the bank’s SWIFT code.',
  accountProblem: skipCheck,
  branchProblem: skipCheck,
}

const OWN_RULES: Readonly<Record<string, BankCountry>> = {
  US: {
    account: 'Account number',
    branch: 'Routing number',
    branchHint: 'Nine digits.',
    accountProblem: (typed) =>
      /^\d{4,17}$/.test(stripSeparators(typed)) ? null : 'A US account number has 4 to 17 digits',
    branchProblem: (typed) =>
      isRoutingNumber(stripSeparators(typed)) ? null : 'This is not a routing number',
  },
  GB: {
    account: 'Account number',
    branch: 'Sort code',
    branchHint: 'Six digits, such as 12-34-56.',
    accountProblem: (typed) =>
      /^\d{8}$/.test(stripSeparators(typed)) ? null : 'A UK account number has 8 digits',
    branchProblem: (typed) => (/^\d{6}$/.test(stripSeparators(typed)) ? null : 'A sort code has 6 digits'),
  },
}

function buildIbanCountry(code: string): BankCountry {
  return {
    account: 'IBAN',
    branch: null,
    accountProblem: (typed) => findIbanProblem(typed, code),
    branchProblem: skipCheck,
  }
}

/** ABA routing numbers: nine digits, weighted 3, 7, 1, with a sum that 10 divides. */
function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || /^0+$/.test(digits)) return false
  const sum = Array.from(digits, (digit, i) => Number(digit) * ([3, 7, 1][i % 3] ?? 0)).reduce(
    (a, b) => a + b,
  )
  return sum % 10 === 0
}

function stripSeparators(typed: string): string {
  return typed.replace(/[\s-]/g, '')
}

/**
 * Returns the error for an IBAN of a country, or null: letters and digits of the country's length, whose checksum (ISO 7064,
 * mod 97-10) is right.
 */
function findIbanProblem(typed: string, country: string): string | null {
  const iban = stripSeparators(typed).toUpperCase()
  const own = iban.slice(0, 2)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return `An IBAN starts with ${country} and two digits`
  if (own !== country) return `This IBAN starts with ${own}, not ${country}: please choose its country`
  const length = IBAN_LENGTHS[country]
  if (iban.length !== length)
    return `An IBAN of this country has ${length} characters, this one has ${iban.length}`
  return computeRemainder97(iban) === 1 ? null : 'This IBAN is mistyped: its checksum does not match'
}

/** The first four characters move to the end, and letters become two digits: A is 10, Z is 35. */
function computeRemainder97(iban: string): number {
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = Array.from(moved, (character) => Number.parseInt(character, 36)).join('')
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder
}
