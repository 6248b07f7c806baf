import { getServerNow } from './serverTime.ts'

/** Whether a key or token works, and why not. */
export function getKeyStatus(key: {
  readonly revokedAt: string | null
  readonly expiresAt: string
}): 'Revoked' | 'Expired' | 'Valid' {
  if (key.revokedAt !== null) return 'Revoked'
  return Date.parse(key.expiresAt) <= getServerNow() ? 'Expired' : 'Valid'
}
