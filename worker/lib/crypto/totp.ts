import { HOTP, Secret, TOTP } from 'otpauth'
import { generateRandomBytes } from '../runtime.ts'
import { generateText, timingSafeEqual, UNAMBIGUOUS } from './tokens.ts'

const STEP_MS = 30_000
const DIGITS = 6
const ALGORITHM = 'SHA1'
const SECRET_BYTES = 20
const DRIFT = [0, -1, 1]
const RECOVERY_LENGTH = 25

/** A new second-factor secret: 160 bits in base 32. */
export function newTotpSecret(): string {
  return new Secret({ buffer: generateRandomBytes(SECRET_BYTES).buffer }).base32
}

/** The `otpauth://` address that an authenticator app reads from a QR code. */
export function buildOtpauthUri(secret: string, email: string, issuer: string): string {
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
 * The time step (RFC 6238, 30 seconds since 1970) of the code, if it is the current, the previous or the next one. Otherwise
 * null. The caller refuses a step that is not later than the last accepted one, so that a stolen code works at most once.
 */
export function findMatchingStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const key = Secret.fromBase32(secret)
  const now = Math.floor(nowMs / STEP_MS)
  const steps = DRIFT.map((drift) => now + drift).filter((step) => step >= 0)
  // Computes every step, so that the time taken does not reveal which one matches.
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
 * This many recovery codes of 125 random bits each, like `k7qm9-tzd4h-xc2vp-8wtrn-5bj0e`. Store only their hashes. They are long
 * enough for a plain hash (OWASP ASVS 5.0, 6.5.2, requires 112 bits). With shorter ones, one pass over a stolen table could guess
 * codes of all users at once.
 */
export function newRecoveryCodes(count = 10): string[] {
  return Array.from({ length: count }, () => groupCharacters(generateText(RECOVERY_LENGTH, UNAMBIGUOUS)))
}

/**
 * The canonical form of a typed recovery code: ignores case, spaces and hyphens, and reads O, I and L as the digits that they
 * resemble. Null if it cannot be a code.
 */
export function normalizeRecoveryCode(typed: string): string | null {
  const text = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return text.length === RECOVERY_LENGTH && /^[0-9a-hjkmnp-tv-z]+$/.test(text) ? groupCharacters(text) : null
}

function groupCharacters(text: string): string {
  return (text.match(/.{5}/g) ?? []).join('-')
}
