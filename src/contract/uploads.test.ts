import { expect, test } from 'vitest'
import { findSidesProblem, MAX_UPLOAD_BYTES, UPLOAD_WORDS, uploadProblem } from './uploads.ts'

test('a picture of an allowed type and size has no problem', () => {
  expect(uploadProblem({ size: 1, type: 'image/avif' })).toBeNull()
  expect(uploadProblem({ size: MAX_UPLOAD_BYTES, type: 'image/svg+xml' })).toBeNull()
})

test('an empty, oversized or foreign file is refused in words', () => {
  expect(uploadProblem({ size: 0, type: 'image/png' })).toBe(UPLOAD_WORDS.empty)
  expect(uploadProblem({ size: MAX_UPLOAD_BYTES + 1, type: 'image/png' })).toBe(UPLOAD_WORDS.tooLarge)
  expect(uploadProblem({ size: 10, type: 'application/pdf' })).toBe(UPLOAD_WORDS.wrongType)
  expect(uploadProblem({ size: 10, type: '' })).toBe(UPLOAD_WORDS.wrongType)
  expect(uploadProblem({ size: 10, type: 'image/heic' })).toBe(UPLOAD_WORDS.heic)
  // Not every system has a type for it.
  expect(uploadProblem({ size: MAX_UPLOAD_BYTES + 1, type: '', name: 'IMG_4711.HEIC' })).toBe(
    UPLOAD_WORDS.heic,
  )
})

test('sides from 32 to 10,000 pixels are taken', () => {
  expect(findSidesProblem(32, 10_000)).toBeNull()
  expect(findSidesProblem(31, 100)).toBe(UPLOAD_WORDS.tooSmall)
  expect(findSidesProblem(100, 10_001)).toBe(UPLOAD_WORDS.tooBig)
})
