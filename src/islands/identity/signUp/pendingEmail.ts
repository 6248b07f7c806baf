const KEY = 'awaiting-verification'

export function rememberPendingEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // Without storage, /check-email asks for the address.
  }
}

/** The address that the verification link was mailed to; null if it was mailed from another tab. */
export function pendingEmail(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
