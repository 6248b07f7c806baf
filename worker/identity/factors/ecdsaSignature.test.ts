import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AsnParser, ECDSASigValue } from './ecdsaSignature.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const text = Buffer.from('what a device signs')

/** As the library fills it up. */
const padded = (number: Uint8Array) =>
  Buffer.concat([Buffer.alloc(32 - number.length), number]).toString('hex')

describe('an ECDSA signature', () => {
  it('is taken apart into its two numbers, whatever their length', () => {
    for (let i = 0; i < 600; i++) {
      const raw = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      const halves = [raw.subarray(0, 32), raw.subarray(32)] as const
      const { r, s } = AsnParser.parse(der(halves), ECDSASigValue)
      expect([padded(r), padded(s)]).toEqual(halves.map((half) => half.toString('hex')))
    }
  })

  it('that another library wrote is read', () => {
    const { r, s } = AsnParser.parse(sign('sha256', text, privateKey), ECDSASigValue)
    expect(r.length).toBeLessThanOrEqual(32)
    expect(s.length).toBeLessThanOrEqual(32)
  })

  it.each([
    ['nothing', ''],
    ['a byte after its end', '300602010102010200'],
    ['a number below zero', '3006020181020101'],
    ['a zero too many', '300702020001020101'],
    ['one number', '3003020101'],
    ['another structure', '3106020101020102'],
    ['a length beyond its end', '3008020101020102'],
  ])('with %s is refused', (_, hex) => {
    expect(() => AsnParser.parse(Buffer.from(hex, 'hex'), ECDSASigValue)).toThrow()
  })

  it('is all that is taken apart: a certificate is refused', () => {
    expect(() => AsnParser.parse(new Uint8Array([0x30, 0]), class Certificate {})).toThrow('No certificate')
  })
})

/** X.690: two INTEGERs in a SEQUENCE, each with as few bytes as it takes and a zero before a high bit. */
function der(numbers: readonly Buffer[]): Buffer {
  const parts = numbers.map((number) => {
    const short = number.subarray(number.findIndex((byte) => byte !== 0))
    const positive = (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short
    return Buffer.concat([Buffer.from([2, positive.length]), positive])
  })
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}
