import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeychain, IDLE_MS } from './keychain.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A keychain, and a function that reports input to it. */
function watchedKeychain() {
  let onActive: (() => void) | null = null
  const keychain = createKeychain((notify) => {
    onActive = notify
    return () => {
      onActive = null
    }
  })
  return { keychain, touch: () => onActive?.(), isWatching: () => onActive !== null }
}

test('a key that was unlocked opens what is sealed to it, until it is locked', () => {
  const { keychain, isWatching } = watchedKeychain()
  expect(keychain.identityFor(['AAAA'])).toBeNull()
  keychain.keep('AAAA', 'secret a')
  keychain.keep('BBBB', 'secret b')
  expect(keychain.identityFor(['CCCC', 'BBBB'])).toBe('secret b')
  expect(keychain.identityFor(['CCCC'])).toBeNull()
  expect(keychain.$unlocked.get()).toEqual(['AAAA', 'BBBB'])
  keychain.lock()
  expect(keychain.identityFor(['AAAA', 'BBBB'])).toBeNull()
  expect(keychain.$unlocked.get()).toEqual([])
  expect(isWatching()).toBe(false)
})

test('keys are forgotten after fifteen minutes without a touch, and no sooner', () => {
  const { keychain, touch } = watchedKeychain()
  keychain.keep('AAAA', 'secret')
  vi.advanceTimersByTime(IDLE_MS - 1000)
  touch()
  vi.advanceTimersByTime(IDLE_MS - 1)
  expect(keychain.$unlocked.get()).toEqual(['AAAA'])
  vi.advanceTimersByTime(1)
  expect(keychain.$unlocked.get()).toEqual([])
})

test('a computer that slept meanwhile wakes up without them', () => {
  for (const wake of ['a touch', 'an opening'] as const) {
    const { keychain, touch } = watchedKeychain()
    keychain.keep('AAAA', 'secret')
    vi.setSystemTime(Date.now() + IDLE_MS)
    if (wake === 'a touch') touch()
    expect(keychain.identityFor(['AAAA']), wake).toBeNull()
  }
})
