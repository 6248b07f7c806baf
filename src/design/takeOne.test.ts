import { expect, test } from 'vitest'
import { type FileRules, formatFileSize, takeOne } from './takeOne.ts'

const rules: FileRules = {
  accept: ['image/png'],
  described: 'PNG',
  several: 'One only',
  problem: (file) => (file.type === 'image/png' ? null : 'Not a PNG'),
}
const picture = new File(['x'], 'a.png', { type: 'image/png' })
const text = new File(['x'], 'a.txt', { type: 'text/plain' })

test('one file that the rules take is chosen', () => {
  expect(takeOne([picture], rules)).toEqual({ state: 'chosen', file: picture })
})

test('a file that the rules refuse is named with the reason', () => {
  expect(takeOne([text], rules)).toEqual({ state: 'refused', file: text, reason: 'Not a PNG' })
})

test('two files at once are refused, even if each would be taken', () => {
  expect(takeOne([picture, picture], rules)).toEqual({ state: 'refused', reason: 'One only' })
})

test('sizes are told in the units that limits are set in', () => {
  expect([0, 1023, 1024, 319_488, 1_572_864, 8 * 1024 * 1024].map(formatFileSize)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1 KB',
    '312 KB',
    '1.5 MB',
    '8 MB',
  ])
})
