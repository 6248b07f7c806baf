import { expect, test } from 'vitest'
import {
  buildOtpauthUri,
  findMatchingStep,
  newRecoveryCodes,
  newTotpSecret,
  normalizeRecoveryCode,
} from './totp.ts'

// RFC 6238, appendix B: the ASCII secret '12345678901234567890', of whose eight digits the last six count here.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at %d seconds the code of RFC 6238 matches its own step', (seconds, code) => {
  expect(findMatchingStep(SECRET, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('a code is accepted one step early or late, with its own step', () => {
  const step = 41_152_263 // of 1,234,567,890 seconds
  expect(findMatchingStep(SECRET, '005924', (step - 1) * 30_000)).toBe(step)
  expect(findMatchingStep(SECRET, '005924', (step + 2) * 30_000 - 1)).toBe(step)
})

test('a code is refused two steps away', () => {
  const step = 41_152_263
  expect(findMatchingStep(SECRET, '005924', (step - 1) * 30_000 - 1)).toBeNull()
  expect(findMatchingStep(SECRET, '005924', (step + 2) * 30_000)).toBeNull()
})

test('only six digits are a code', () => {
  for (const code of ['', '05924', '0005924', '89005924', 'abcdef', '00 924', '００５９２４', '005924\n']) {
    expect(findMatchingStep(SECRET, code, 1_234_567_890_000)).toBeNull()
  }
})

test('the first moments of 1970 have no step before them', () => {
  expect(findMatchingStep(SECRET, '755224', 0)).toBe(0)
})

test('a new secret has 160 bits and is different each time', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
})

test('the address for the app names the issuer, the account and the parameters', () => {
  const uri = new URL(buildOtpauthUri(SECRET, 'ada+test@example.com', 'Evenkeel'))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname)).toContain('Evenkeel:ada+test@example.com')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Evenkeel',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('ten recovery codes are given out, all different and readable', () => {
  const codes = newRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){4}[0-9a-hjkmnp-tv-z]{5}$/)
})

test('a recovery code has so many random bits that a plain hash of it cannot be guessed', () => {
  const places = newRecoveryCodes(400).map((code) => code.replaceAll('-', ''))
  const bitsOfPlace = (i: number) => Math.log2(new Set(places.map((code) => code[i])).size)
  expect(Array.from({ length: 25 }, (_, i) => bitsOfPlace(i)).reduce((a, b) => a + b)).toBeGreaterThan(112)
})

test('a recovery code is understood however it was typed', () => {
  for (const typed of [
    'k7qm9-tzd4h-xc2vp-8wtrn-5bj0e',
    'K7QM9TZD4HXC2VP8WTRN5BJOE',
    ' k7qm9 tzd4h xc2vp 8wtrn 5bj0e ',
    'k7qm9--tzd4h-xc2vp-8wtrn-5bjoe',
  ]) {
    expect(normalizeRecoveryCode(typed)).toBe('k7qm9-tzd4h-xc2vp-8wtrn-5bj0e')
  }
  for (const code of newRecoveryCodes()) expect(normalizeRecoveryCode(code)).toBe(code)
})

test('anything that cannot be a recovery code is refused', () => {
  const code = 'k7qm9-tzd4h-xc2vp-8wtrn-5bj0e'
  for (const typed of [
    '',
    '005924',
    'k7qm9-tzd4h',
    `${code}0`,
    code.replace('k', 'u'),
    code.replace('k', '!'),
  ]) {
    expect(normalizeRecoveryCode(typed)).toBeNull()
  }
})
