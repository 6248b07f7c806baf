import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { parseSample } from './samples.ts'

const production = { ...env, APP_ENV: 'production' }

test('samples are for simulated money and for development', () => {
  expect(parseSample({ env: production, body: { sample: 'true' } }, 'simulated')).toBe(true)
  expect(parseSample({ env, body: { sample: 'true' } }, 'live')).toBe(true)
  expect(() => parseSample({ env: production, body: { sample: 'true' } }, 'live')).toThrow(
    'validation_failed',
  )
})

test('without the field, a picture is the sender’s own', () => {
  for (const sample of [undefined, ''] as const)
    expect(parseSample({ env: production, body: { sample } }, 'live')).toBe(false)
})
