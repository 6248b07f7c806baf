import { expect, test } from 'vitest'
import { foldName } from './foldName.ts'

test.each([
  ['Éva Ünal', 'eva unal'],
  ['E\u0301va U\u0308nal', 'eva unal'],
  ['O’Brien', "o'brien"],
  ["O'BRIEN", "o'brien"],
  ['O´Brien', "o'brien"],
  ['Yılmaz', 'yilmaz'],
  ['YILMAZ', 'yilmaz'],
  ['Yilmaz', 'yilmaz'],
  ['İpek', 'ipek'],
  ['Łukasz Żółć', 'lukasz zolc'],
  ['SØREN Ærø', 'soren aero'],
  ['Groß', 'gross'],
  ['GROẞ', 'gross'],
  ['Ｊｏｓé  da\u00a0Silva ', 'jose da silva'],
  ['نرگس', 'نرگس'],
  ['नरेन्द्र', 'नरेन्द्र'],
])('%s is searched as %s', (name, folded) => {
  expect(foldName(name)).toBe(folded)
})
