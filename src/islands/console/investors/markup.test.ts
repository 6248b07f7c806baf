import { expect, test } from 'vitest'
import { withMark } from './markup.ts'

test('a mark goes around what is selected, and selects it', () => {
  const { text, start, end } = withMark('Pay no one today', 4, 10, 'Bold')
  expect(text).toBe('Pay <b>no one</b> today')
  expect(text.slice(start, end)).toBe('no one')
})

test('where nothing is selected it brings words to type over', () => {
  const { text, start, end } = withMark('See ', 4, 4, 'Link')
  expect(text).toBe('See <a href="/dashboard/overview">the words to press</a>')
  expect(text.slice(start, end)).toBe('the words to press')
})

test('each line of a selection becomes a point of a list', () => {
  expect(withMark('one\ntwo\n\nthree', 0, 14, 'List').text).toBe(
    '<ul>\n<li>one</li>\n<li>two</li>\n<li>three</li>\n</ul>',
  )
})
