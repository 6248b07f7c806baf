import { HOTP, Secret, TOTP } from 'otpauth'
import { randomText, timingSafeEqual, UNAMBIGUOUS } from './tokens.ts'

const STEP_MS = 30_000
const DIGITS = 6
const ALGORITHM = 'SHA1'
const SECRET_BYTES = 20
const DRIFT = [0, -1, 1]
const RECOVERY_LENGTH = 25

/** A new second-factor secret: 160 bits in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The `otpauth://` address that an authenticator app reads from a QR code. */
export function otpauthUri(secret: string, email: string, issuer: string): string {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label: email,
    issuer,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_MS / 1000,
  }).toString()
}

/**
 * The time step (RFC 6238, 30 seconds since 1970) to which the code belongs, if that is the present one, the one
 * before or the one after; else null. The caller refuses a step that is not later than the last one it accepted,
 * so that a code read over a shoulder works once at most.
 */
export function matchingStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const key = Secret.fromBase32(secret)
  const now = Math.floor(nowMs / STEP_MS)
  const steps = DRIFT.map((drift) => now + drift).filter((step) => step >= 0)
  // Each step is computed whatever the others gave, so that the time taken tells nothing.
  const matches = steps.map((counter) =>
    timingSafeEqual(HOTP.generate({ secret: key, algorithm: ALGORITHM, digits: DIGITS, counter }), code),
  )
  return steps[matches.indexOf(true)] ?? null
}

/** When a time step begins, in epoch milliseconds. */
export function startOfStep(step: number): number {
  return step * STEP_MS
}

/**
 * So many recovery codes of 125 random bits each, like `k7qm9-tzd4h-xc2vp-8wtrn-5bj0e`. Only their hashes are to be
 * stored. They are this long so that a plain hash is enough (OWASP ASVS 5.0, 6.5.2, draws the line at 112 bits): of
 * shorter ones, one pass of guesses over a stolen table would try the codes of everybody at once.
 */
export function newRecoveryCodes(count = 10): string[] {
  return Array.from({ length: count }, () => grouped(randomText(RECOVERY_LENGTH, UNAMBIGUOUS)))
}

/**
 * A recovery code as it was given out, from what a person typed: case, spaces and hyphens don't matter, and O, I and L
 * are taken for the digits that they look like. Null for what cannot be one.
 */
export function normaliseRecoveryCode(typed: string): string | null {
  const text = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return text.length === RECOVERY_LENGTH && /^[0-9a-hjkmnp-tv-z]+$/.test(text) ? grouped(text) : null
}

function grouped(text: string): string {
  return (text.match(/.{5}/g) ?? []).join('-')
}
