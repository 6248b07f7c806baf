import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../../test/random.ts'
import { NETWORKS, type Network } from './coins.ts'
import {
  createReferenceField,
  parseReference,
  referenceField,
  toReferenceKey,
  toSearchKeys,
} from './references.ts'

const ID = 'deadbeef01'.repeat(6).concat('abcd')
const parsed = (network: Network | null, text: string) => parseReference(network, text).reference

describe('a transaction id', () => {
  test('has one spelling on each network', () => {
    const wide = ID.replaceAll('d', 'ｄ').replaceAll('1', '１')
    for (const network of NETWORKS) {
      for (const alike of [
        ID,
        ID.toUpperCase(),
        `0x${ID}`,
        ` 0X${ID.toUpperCase()}\n`,
        wide,
        `０ｘ${ID}`,
        `\u200b${ID.slice(0, 9)}\u200d\u2066${ID.slice(9)}\ufeff`,
        `${ID.slice(0, 9)}\u00ad\u00a0\u202e${ID.slice(9)}\ufe0f`,
        `${ID.slice(0, 32)}\r\n${ID.slice(32)}`,
      ])
        expect([network, alike, parsed(network, alike)]).toEqual([network, alike, ID])
    }
  })

  test('is refused with words in every other form', () => {
    for (const network of NETWORKS) {
      for (const wrong of [
        'tx-1',
        ID.slice(1),
        `${ID}0`,
        `${ID}.`,
        `${ID},`,
        `0x0x${ID}`,
        `0x`,
        ID.replace('0', '٠'),
        ID.replace('0', '०'),
        ID.replace('a', 'а'),
        ID.replace('e', 'е\u0301'),
        ID.replace('0', 'O'),
        `${ID}\u0000`,
        `${ID}#1`,
        `${ID}:`,
        `${ID}:-1`,
        `${ID}:1:1`,
        `${ID}:4294967296`,
        `${ID}:99999999999999999999999999`,
      ]) {
        const { reference, problem } = parseReference(network, wrong)
        expect([wrong, reference, problem]).toEqual([wrong, null, expect.stringMatching(/64 characters/)])
      }
    }
  })

  test('is followed by an output on Bitcoin, and by a log on ERC-20', () => {
    for (const [typed, output] of [
      [':0', 0],
      [':00', 0],
      [' : 007', 7],
      ['：１', 1],
      [':4294967295', 4294967295],
    ] as const)
      expect([typed, parsed('btc', `0x${ID.toUpperCase()}${typed}`)]).toEqual([typed, `${ID}:${output}`])
    const tokens = ['usdt-erc20', 'usdc-erc20'] as const
    for (const network of tokens) expect(parsed(network, `${ID}:3`)).toBe(`${ID}:3`)
    for (const network of NETWORKS.filter((each) => !['btc', ...tokens].includes(each)))
      expect(parsed(network, `${ID}:0`)).toBeNull()
  })

  test('in a link is to be pasted alone', () => {
    for (const network of [...NETWORKS, null])
      for (const link of [
        `https://mempool.space/tx/${ID}`,
        `HTTP://x.example/#/transaction/${ID}`,
        `www.a.io/${ID}`,
      ])
        expect(parseReference(network, link).problem).toMatch(/alone, not a link/)
  })
})

describe('a bank’s reference', () => {
  test('is compared by its letters and digits, and shown in upper case', () => {
    expect(parsed(null, ' Bank-2026/001 \u200b')).toBe('BANK-2026/001')
    const key = toReferenceKey('BANK-2026/001')
    expect(key).toBe('bank:bank2026001')
    for (const alike of [
      'bank 2026 001',
      'BANK2026001.',
      'ｂａｎｋ-2026_001',
      'bank\u00a02026\u00ad001',
      'Bank:2026,(001)',
    ])
      expect([alike, toReferenceKey(parsed(null, alike) ?? '')]).toEqual([alike, key])
    expect(toReferenceKey(parsed(null, 'bank2026002') ?? '')).not.toBe(key)
  })

  test('has letters from A to Z and digits alone, and not too many', () => {
    for (const wrong of [
      'Überweisung 1',
      'ВANK1',
      'bank١',
      'wire\u0301',
      'a;b',
      'ßa',
      '-.-',
      'x'.repeat(141),
      '€5',
    ])
      expect([wrong, parsed(null, wrong)]).toEqual([wrong, null])
    expect(parsed(null, 'x'.repeat(140))).not.toBeNull()
  })

  test('that reads as a transaction id is one, so that neither is used beside the other', () => {
    for (const text of [ID, ID.toUpperCase(), `0x${ID}`, ID.replace(/(.{8})/g, '$1-'), '7'.repeat(64)]) {
      const reference = parsed(null, text) ?? ''
      expect([text, toReferenceKey(reference)]).toEqual([text, reference])
      expect(reference).toBe(parsed('eth', reference))
    }
  })
})

test('parsing a parsed reference changes nothing, and its key has the documented form', () => {
  const hexes = fc.string({
    unit: fc.constantFrom(...'0123456789abcdefABCDEFｆ:x.\u200b٣'),
    minLength: 60,
    maxLength: 72,
  })
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), hexes)
  fc.assert(
    fc.property(fc.constantFrom(...NETWORKS, null), text, (network, typed) => {
      const { reference, problem } = parseReference(network, typed)
      if (reference === null) {
        expect(problem).toMatch(/^[A-Z]/)
        return
      }
      expect(parsed(network, reference)).toBe(reference)
      expect(toReferenceKey(reference)).toMatch(
        /^(?:[0-9a-f]{64}(?::(?:0|[1-9]\d{0,9}))?|bank:[0-9a-z]{1,140})$/,
      )
    }),
    randomRuns(2_000),
  )
})

test('an invisible reference counts as missing', () => {
  const field = referenceField('Please give the reference')
  for (const nothing of ['', ' ', '0x', '0X 0x', '\u200b', '\u00ad0x', '...'])
    expect([nothing, field.safeParse(nothing).error?.issues[0]?.message]).toEqual([
      nothing,
      'Please give the reference',
    ])
  expect(field.safeParse(` 0x${ID} `).data).toBe(`0x${ID}`)
  const known = createReferenceField('eth', 'Please give the reference')
  expect(known.safeParse(` 0x${ID.toUpperCase()} `).data).toBe(ID)
  expect(known.safeParse('tx-1').error?.issues[0]?.message).toMatch(/Ethereum has 64 characters/)
})

test('a search finds it in any spelling, as a transaction or as a bank’s reference', () => {
  expect(toSearchKeys(` 0x${ID.toUpperCase()}`)[0]).toBe(ID)
  expect(toSearchKeys('Bank-2026/001')).toEqual(['bank-2026/001', 'bank:bank2026001'])
})
