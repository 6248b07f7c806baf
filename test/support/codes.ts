import { Secret, TOTP } from 'otpauth'

/** The authenticator app's code for a secret. `step` 1 is the code 30 seconds later, which is also accepted. */
export function totpCode(secret: string, step = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.now() + step * 30_000,
  })
}
