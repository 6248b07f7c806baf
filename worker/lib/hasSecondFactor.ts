/**
 * SQL that says of a user id, an expression of the query around it, whether a second factor of any kind is on: the one
 * answer to that question. An authenticator app that was only set up is none.
 */
export function hasSecondFactor(userId: string): string {
  return `(${hasAuthenticatorApp(userId)}
    OR ${hasPasskey(userId)})`
}

/** The same of an authenticator app alone. */
export function hasAuthenticatorApp(userId: string): string {
  return `EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${userId} AND enabled_at IS NOT NULL)`
}

/** The same of a passkey alone. */
export function hasPasskey(userId: string): string {
  return `EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})`
}
