import { ChainError } from '../chainError.ts'

/** Adds the checksum of BIP-380: `#` and eight characters. */
export function withChecksum(expression: string): string {
  return `${expression}#${computeChecksum(expression)}`
}

/** Splits off the checksum, which may be missing altogether. Refuses a wrong one and characters that descriptors do not use. */
export function stripChecksum(text: string): string {
  const at = text.indexOf('#')
  const expression = at < 0 ? text : text.slice(0, at)
  const expected = computeChecksum(expression)
  if (at >= 0 && text.slice(at + 1) !== expected) {
    throw new ChainError(
      'wrong_checksum',
      'The checksum of the descriptor is wrong. Please copy the descriptor again.',
    )
  }
  return expression
}

const INPUT =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const OUTPUT = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn]

function computeChecksum(expression: string): string {
  let remainder = 1n
  const addSymbol = (symbol: number) => {
    const top = remainder >> 35n
    remainder = ((remainder & 0x7ffffffffn) << 5n) ^ BigInt(symbol)
    GENERATOR.forEach((term, i) => {
      if (((top >> BigInt(i)) & 1n) === 1n) remainder ^= term
    })
  }
  // Each character gives its place in a group of 32; the groups of three characters follow as one symbol.
  let groups: number[] = []
  for (const character of expression) {
    const value = INPUT.indexOf(character)
    if (value < 0)
      throw new ChainError(
        'bad_character',
        'The descriptor contains a character that descriptors do not use.',
      )
    addSymbol(value & 31)
    groups.push(value >> 5)
    if (groups.length === 3) {
      addSymbol(groups.reduce((sum, group) => 3 * sum + group, 0))
      groups = []
    }
  }
  if (groups.length > 0) addSymbol(groups.reduce((sum, group) => 3 * sum + group, 0))
  for (let i = 0; i < 8; i++) addSymbol(0)
  remainder ^= 1n
  return Array.from({ length: 8 }, (_, i) => OUTPUT[Number((remainder >> BigInt(5 * (7 - i))) & 31n)]).join(
    '',
  )
}
