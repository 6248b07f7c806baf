import { atom, computed, type ReadableAtom } from 'nanostores'
import { $session } from '../../lib/session.ts'

/** Unlocked keys are forgotten when nobody has touched the page for so long. */
export const IDLE_MS = 15 * 60_000

export interface Keychain {
  /** Fingerprints of the keys that are unlocked. */
  $unlocked: ReadableAtom<readonly string[]>
  /** Takes what a passphrase has just unlocked. */
  keep: (fingerprint: string, identity: string) => void
  /** The private key for one of these fingerprints; null when none of them is unlocked. */
  identityFor: (fingerprints: readonly string[]) => string | null
  /** Forgets all of them. */
  lock: () => void
}

/**
 * A reviewer's unlocked keys: in the memory of this page and nowhere else, so that another page, another tab or the next
 * person at this computer asks for the passphrase again.
 *
 * @param watch calls back whenever somebody does something, until what it answers is called
 */
export function keychainOf(watch: (onActive: () => void) => () => void): Keychain {
  const $keys = atom<ReadonlyMap<string, string>>(new Map())
  let activeMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let unwatch: (() => void) | undefined

  const isIdle = () => Date.now() - activeMs >= IDLE_MS
  const lock = () => {
    clearTimeout(timer)
    unwatch?.()
    unwatch = undefined
    $keys.set(new Map())
  }
  const lockWhenIdle = () => {
    if (isIdle()) lock()
    else timer = setTimeout(lockWhenIdle, activeMs + IDLE_MS - Date.now())
  }
  return {
    $unlocked: computed($keys, (keys) => [...keys.keys()]),
    keep: (fingerprint, identity) => {
      activeMs = Date.now()
      $keys.set(new Map($keys.get()).set(fingerprint, identity))
      clearTimeout(timer)
      lockWhenIdle()
      unwatch ??= watch(() => {
        // A computer that slept has not run the timer: whoever wakes it finds the keys locked.
        if (isIdle()) lock()
        else activeMs = Date.now()
      })
    },
    identityFor: (fingerprints) => {
      if (isIdle()) lock()
      const keys = $keys.get()
      return (
        fingerprints.map((fingerprint) => keys.get(fingerprint)).find((found) => found !== undefined) ?? null
      )
    },
    lock,
  }
}

/** The keys of whoever looks at this page; gone, too, when they sign out, here or in another tab. */
export const keychain = keychainOf((onActive) => {
  const events = ['pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const
  for (const name of events) document.addEventListener(name, onActive, { passive: true })
  return () => {
    for (const name of events) document.removeEventListener(name, onActive)
  }
})

$session.listen((session) => {
  if (session === null) keychain.lock()
})
