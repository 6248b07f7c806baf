import { expect, test } from 'vitest'
import { referenceField, referenceKey } from './references.ts'

test('references that look alike are one', () => {
  const key = referenceKey('deadbeef01')
  for (const alike of [
    'DEADbeef01',
    '0xDEADBEEF01',
    '0X0xdeadbeef01',
    ' dead beef\t01\n',
    'dead\u200bbeef\u200d01\ufeff',
    '\u200b0xdeadbeef01',
    'ｄｅａｄｂｅｅｆ０１',
    '０ｘdeadbeef01',
    'dead\u00a0beef\u00ad01',
  ]) {
    expect([alike, referenceKey(alike)]).toEqual([alike, key])
  }
  expect(referenceKey('deadbeef02')).not.toBe(key)
  expect(referenceKey('BANK-2026/001')).toBe('bank-2026/001')
})

test('a reference of which nothing is left to compare is missing', () => {
  const field = referenceField('Please give the reference')
  for (const nothing of ['', ' ', '0x', '0X 0x', '\u200b', '\u00ad0x']) {
    const parsed = field.safeParse(nothing)
    expect([nothing, parsed.error?.issues[0]?.message]).toEqual([nothing, 'Please give the reference'])
  }
  expect(field.safeParse(' 0xAB ').data).toBe('0xAB')
})
