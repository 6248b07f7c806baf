import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseLinkedText, toPlainText } from './text.ts'

test('a link stands between the text before and after it', () => {
  expect(parseLinkedText('See [Fees](/fees), please.', {})).toEqual([
    { text: 'See ' },
    { text: 'Fees', href: '/fees' },
    { text: ', please.' },
  ])
})

test('a name gives way to its word, in a link as well', () => {
  const pieces = parseLinkedText('[{mail}](mailto:{mail}): {when}', { mail: 'a@b.example', when: 'not yet' })
  expect(pieces).toEqual([{ text: 'a@b.example', href: 'mailto:a@b.example' }, { text: ': not yet' }])
})

test('a name without a word is refused', () => {
  expect(() => parseLinkedText('{nobody}', {})).toThrow('{nobody}')
})

test('what is no link of this site stays as it is written', () => {
  expect(parseLinkedText('[1] and [a](javascript:x)', {})).toEqual([{ text: '[1] and [a](javascript:x)' }])
})

test('plain text has all the words and no link', () => {
  expect(toPlainText(parseLinkedText('See [Fees](/fees), please.', {}))).toBe('See Fees, please.')
})

test('every text that lists the coins of deposits lists all four', () => {
  const folders = ['src/content', 'src/islands', 'src/pages', 'src/layouts']
  const incomplete = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{yaml,mdx,astro,tsx}`).filter((file) =>
      /bitcoin, ethereum(?!, USDT (?:or|and) USDC)/i.test(readFileSync(file, 'utf8').replace(/\s+/g, ' ')),
    ),
  )
  expect(incomplete).toEqual([])
})
