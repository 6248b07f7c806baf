/**
 * SQL: whether the user has any second factor on. This is the only definition. An authenticator app that was set up but not
 * confirmed does not count.
 */
export function hasSecondFactor(userId: string): string {
  return `(${hasAuthenticatorApp(userId)}
    OR ${hasPasskey(userId)})`
}

/** The same for an authenticator app. */
export function hasAuthenticatorApp(userId: string): string {
  return `EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${userId} AND enabled_at IS NOT NULL)`
}

/** The same for a passkey. */
export function hasPasskey(userId: string): string {
  return `EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})`
}
