const KEY = 'awaiting-verification'

/** Remembers for this tab which address the verification link was mailed to. */
export function rememberAwaited(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // A browser that keeps nothing: /check-email asks for the address then.
  }
}

/** The address that the verification link was mailed to, null when this tab doesn't know. */
export function awaitedEmail(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
