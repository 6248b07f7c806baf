const KEY = 'awaiting-verification'

/** Remembers in this tab where the verification link was mailed. */
export function rememberAwaited(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // Without storage, /check-email asks for the address.
  }
}

/** The address that the link was mailed to; null if this tab does not know. */
export function awaitedEmail(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
