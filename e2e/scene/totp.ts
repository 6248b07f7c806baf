import { Secret, TOTP } from 'otpauth'

const STEP_MS = 30_000

/** What the seeded operators' authenticator app shows; `stepsAgo` looks at an earlier code, or below zero at a later one. */
export function authenticatorCode(stepsAgo = 0): string {
  const secret = Secret.fromBase32('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  return new TOTP({ secret }).generate({ timestamp: Date.now() - stepsAgo * STEP_MS })
}
