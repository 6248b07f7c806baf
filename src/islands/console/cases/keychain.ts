import { atom, computed } from 'nanostores'
import { $session } from '../../lib/session.ts'

/** Keys are locked after this time without input. */
export const IDLE_MS = 15 * 60_000

/**
 * A reviewer's unlocked keys. They exist only in the memory of this page: any other page or tab needs the passphrase again.
 * @param watch calls back on each input, and returns a cancel function
 */
export function createKeychain(watch: (onActive: () => void) => () => void) {
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
    /** The fingerprints of the unlocked keys. */
    $unlocked: computed($keys, (keys) => [...keys.keys()]),
    keep: (fingerprint: string, identity: string) => {
      activeMs = Date.now()
      $keys.set(new Map($keys.get()).set(fingerprint, identity))
      clearTimeout(timer)
      lockWhenIdle()
      unwatch ??= watch(() => {
        // Timers do not run while the computer sleeps.
        if (isIdle()) lock()
        else activeMs = Date.now()
      })
    },
    /** The private key of one of these fingerprints; null if none of them is unlocked. */
    identityFor: (fingerprints: readonly string[]) => {
      if (isIdle()) lock()
      const keys = $keys.get()
      return (
        fingerprints.map((fingerprint) => keys.get(fingerprint)).find((found) => found !== undefined) ?? null
      )
    },
    lock,
  }
}

/** The keychain of this page. Signing out, here or in another tab, locks it. */
export const keychain = createKeychain((onActive) => {
  const events = ['pointerdown', 'keydown', 'wheel', 'visibilitychange'] as const
  for (const name of events) document.addEventListener(name, onActive, { passive: true })
  return () => {
    for (const name of events) document.removeEventListener(name, onActive)
  }
})

$session.listen((session) => {
  if (session === null) keychain.lock()
})
