import { expect, test } from 'vitest'
import { decimal, field } from './csv.ts'

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [123_456, '1234.56'],
  [-100, '-1.00'],
])('%i cents stand as %s', (cents, text) => {
  expect(decimal(cents)).toBe(text)
})

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['-12.00', '-12.00'],
  ['=1+1', "'=1+1"],
  ['+SUM(A1)', "'+SUM(A1)"],
  ['-1+1', "'-1+1"],
  ['@cmd', "'@cmd"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['\nx', '"\'\nx"'],
  ['-12.000', "'-12.000"],
  ['+12.00', "'+12.00"],
  ['=A1,"x"', '"\'=A1,""x"""'],
])('%j is written as %j: no field is taken for a formula', (text, written) => {
  expect(field(text)).toBe(written)
})
