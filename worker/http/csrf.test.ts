import { expect, test } from 'vitest'
import type { Env } from '../lib/env.ts'
import { assertSameSite } from './csrf.ts'

const env = {
  PUBLIC_ORIGIN: 'https://evenkeel.example',
  ALLOWED_ORIGINS: 'https://desk.example, https://app.example',
} as Env

function sending(headers: Record<string, string>) {
  return () =>
    assertSameSite(
      new Request('https://evenkeel.example/api/v1/x', { method: 'POST', headers }),
      env,
      undefined,
    )
}

test('pages of configured origins may call the API from another site', () => {
  expect(sending({ Origin: 'https://app.example', 'Sec-Fetch-Site': 'cross-site' })).not.toThrow()
  expect(sending({ Origin: 'https://desk.example' })).not.toThrow()
})

test('no other origin may, whatever it claims', () => {
  expect(sending({ Origin: 'https://evenkeel.example', 'Sec-Fetch-Site': 'cross-site' })).toThrow(
    'csrf_rejected',
  )
  expect(sending({ 'Sec-Fetch-Site': 'cross-site' })).toThrow('csrf_rejected')
  expect(sending({ Origin: 'https://evil.example' })).toThrow('csrf_rejected')
})
