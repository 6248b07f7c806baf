import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

const OPERATORS_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/**
 * What an authenticator app shows, the seeded operators' unless another secret is given; `stepsAgo` looks at an earlier
 * code, or below zero at a later one.
 */
export function authenticatorCode(stepsAgo = 0, secret = OPERATORS_SECRET): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() - stepsAgo * STEP_MS,
  })
}
