const KEY = 'awaiting-verification'

export function savePendingEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // Without storage, the next page asks for the address.
  }
}

/** The address that was registered or verified in this tab; null if there is none. */
export function readPendingEmail(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
