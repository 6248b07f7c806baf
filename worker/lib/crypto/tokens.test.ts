import { expect, test } from 'vitest'
import {
  generateDigits,
  generateText,
  generateToken,
  newId,
  newRef,
  sha256Hex,
  timingSafeEqual,
} from './tokens.ts'

test('a token has 256 random bits, fits in a link, and never repeats', () => {
  const tokens = Array.from({ length: 100 }, () => generateToken())
  expect(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token))).toBe(true)
  expect(new Set(tokens).size).toBe(100)
  expect(generateToken(16)).toHaveLength(22)
})

test('SHA-256 gives the value in FIPS 180-4, for text and for bytes', async () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await sha256Hex('abc')).toBe(abc)
  expect(await sha256Hex(new Uint8Array([0x61, 0x62, 0x63]))).toBe(abc)
})

test('a part of a larger buffer is hashed without its surroundings', async () => {
  const part = new Uint8Array([1, 0x61, 0x62, 0x63, 2]).subarray(1, 4)
  expect(await sha256Hex(part)).toBe(await sha256Hex('abc'))
})

test('there are as many digits as requested, each about equally often', () => {
  expect(generateDigits(6)).toMatch(/^\d{6}$/)
  const counts = new Map<string, number>()
  for (const digit of generateDigits(20_000)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect(counts.size).toBe(10)
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(300)
})

test('text uses its alphabet only', () => {
  expect(generateText(500, 'ab')).toMatch(/^[ab]{500}$/)
})

test('a reference is readable aloud', () => {
  expect(newRef('DEP')).toMatch(/^DEP-[0-9A-HJKMNP-TV-Z]{8}$/)
  expect(newRef('DEP')).not.toBe(newRef('DEP'))
})

test('an id is a random UUID', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('equality holds for equal text and bytes, and for nothing else', () => {
  expect(timingSafeEqual('secret', 'secret')).toBe(true)
  expect(timingSafeEqual('secret', new TextEncoder().encode('secret'))).toBe(true)
  expect(timingSafeEqual('', '')).toBe(true)
  expect(timingSafeEqual('secret', 'secreT')).toBe(false)
  expect(timingSafeEqual('secret', 'secret\0')).toBe(false)
  expect(timingSafeEqual('secret\0', 'secret')).toBe(false)
  expect(timingSafeEqual('', 'a')).toBe(false)
})
