export function buildChatUrl(number: string): string {
  return `https://wa.me/${stripNonDigits(number)}`
}

/**
 * A phone number in groups. A number without groups is split after its country code (ITU-T E.164) and then by threes.
 */
export function formatPhoneNumber(number: string): string {
  const written = number.trim()
  if (/\d\D+\d/.test(written)) return written
  const [, code = '', rest = ''] = COUNTRY_CODE.exec(stripNonDigits(number)) ?? []
  return `+${[code, ...splitInThrees(rest)].join(' ')}`
}

/** Codes of one digit, then those of two; all others have three. */
const COUNTRY_CODE = /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d*)$/

// A single digit is never left alone at the end.
function splitInThrees(digits: string): string[] {
  return digits.match(/\d{4}$|\d{1,3}(?!\d$)|\d/g) ?? []
}

function stripNonDigits(number: string): string {
  return number.replace(/\D/g, '')
}
