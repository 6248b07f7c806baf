import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { formatCsvField, formatCsvLine, formatDecimal } from './csv.ts'

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [123_456, '1234.56'],
  [-100, '-1.00'],
])('%i cents stand as %s', (cents, text) => {
  expect(formatDecimal(cents)).toBe(text)
})

test.each([
  ['', ''],
  ['12.05', '12.05'],
  ['-12.00', '-12.00'],
  ['0.00012345', '0.00012345'],
  ['7', '7'],
])('the number %j stands as %j', (text, written) => {
  expect(formatCsvField(text)).toBe(written)
})

test.each([
  ['plain', '"plain"'],
  ['a, b', '"a, b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\nlines"'],
  ['=1+1', '"\'=1+1"'],
  ['+SUM(A1)', '"\'+SUM(A1)"'],
  ['-1+1', '"\'-1+1"'],
  ['@cmd', '"\'@cmd"'],
  ['\tx', '" x"'],
  ['\rx', '"\nx"'],
  ['-7', '"\'-7"'],
  ['-12.000', '"\'-12.000"'],
  ['+12.00', '"\'+12.00"'],
  ['1e5', '"1e5"'],
  ['=A1,"x"', '"\'=A1,""x"""'],
  ['＝1', '"\'＝1"'],
  ['＋1', '"\'＋1"'],
  ['－1', '"\'－1"'],
  ['＠x', '"\'＠x"'],
  ["x;=cmd|' /C calc'!A0", "\"x;'=cmd|' /C calc'!A0\""],
  ['x,=1', '"x,\'=1"'],
  ['x|=1', '"x|\'=1"'],
  ['x\t=1', '"x =1"'],
  ['x\n=1', '"x\n\'=1"'],
  ['x\r=1', '"x\n\'=1"'],
  ['x; \u200b\u00a0＝1', '"x; \u200b\u00a0\'＝1"'],
  ['  =1', '"  \'=1"'],
  ['\ufeff\u2066=1', '"\ufeff\'=1"'],
  ['\u202e12345678', '"12345678"'],
  ['x;"=1"', '"x;""\'=1"""'],
  ['a-b = c+d', '"a-b = c+d"'],
])('the text %j is written as %j: no part of it is taken for a formula', (text, written) => {
  expect(formatCsvField(text)).toBe(written)
})

const HOSTILE = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'=+-@＝＋－＠,;|"\' \t\r\n\u00a0\u200b\u200f\u2060\u3164\ufeff\u0000'),
      fc.constantFrom('x', '7', '.', "=cmd|' /C calc'!A0", '\r\n'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
const CELL = fc.oneof(HOSTILE, HOSTILE, fc.integer().map(formatDecimal))
// As in each of our files, a line begins with a text or a number without a sign.
const LINE = fc.tuple(
  fc.oneof(
    HOSTILE.map((text) => `x${text}`),
    HOSTILE.filter((text) => !/^-\d+\.\d\d$/.test(text)),
  ),
  fc.array(CELL, { maxLength: 5 }),
)

test('no cell is a formula, for any separator, with or without quotes', () => {
  fc.assert(
    fc.property(fc.array(LINE, { minLength: 1, maxLength: 4 }), (lines) => {
      const text = lines.map(([first, others]) => formatCsvLine([first, ...others])).join('')
      for (const separator of [',', ';', '\t', '|']) {
        const naive = text.split(/\r\n|[\r\n]/).flatMap((row) => row.split(separator))
        for (const cell of [...cellsOf(text, separator).flat(), ...naive]) expect(isFormula(cell)).toBe(false)
      }
    }),
    randomRuns(2000),
  )
})

test('a program that splits at commas reads the original texts, except apostrophes, tabs, carriage returns and direction marks', () => {
  const marks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
  const plain = (cell: string) =>
    cell.replace(marks, '').replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').replaceAll("'", '')
  fc.assert(
    fc.property(fc.array(CELL, { minLength: 2, maxLength: 6 }), (cells) => {
      const read = cellsOf(formatCsvLine(cells), ',')
      expect(read).toHaveLength(1)
      expect(read[0]?.map(plain)).toEqual(cells.map(plain))
    }),
  )
})

test('a long text of separators is written in no time', () => {
  const started = performance.now()
  for (const one of ['\n', ';', ' ', '"', ' ;']) formatCsvField(one.repeat(100_000))
  expect(performance.now() - started).toBeLessThan(2000)
})

/** As spreadsheets read it: a quote opens a cell only at its front, and what follows the closing one is part of it too. */
function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[++at]
        else break
      }
      at++
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n')
      cell += text[at++]
    row.push(cell)
    if (text[at] === separator) {
      at++
      continue
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    rows.push(row)
    row = []
  }
  return rows
}

function isFormula(cell: string): boolean {
  const seen = cell.replace(/^[\s\p{C}\p{Default_Ignorable_Code_Point}"]+/u, '').normalize('NFKC')
  return /^[=+\-@]/.test(seen) ? !/^-?\d+\.\d\d$/.test(cell) : /^(?:\t|\r(?!\n))/.test(cell)
}
