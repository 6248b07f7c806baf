import type { AuthenticationResponseJSON } from '@simplewebauthn/server'

// Types of second-factor proofs; identity/factors checks them.

/** A passkey's answer, parsed but not yet checked. */
export interface PasskeyAnswer {
  readonly credentialId: string
  /** The challenge that the answer claims to be for. */
  readonly challenge: string
  readonly challengeHash: string
  readonly response: AuthenticationResponseJSON
}

/** The facts that a code is compared with. */
export interface CodeFactor {
  /** The secret of the authenticator app, if it is on. */
  readonly secretSealed: string | null
  readonly lastStep: number
  /** The hash of the sent code, if it is an unused recovery code of this user. */
  readonly recoveryHash: string | null
  /** Until when the app's codes are refused, from `selectCodesRefusedUntil`. */
  readonly refusedUntil: number | null
}

/** A user's second factors, and which of them the sent proof names. */
export interface Factors extends CodeFactor {
  readonly ownerEmail: string
  readonly ownerName: string
  readonly ownerRole: 'investor' | 'operator'
  /** JSON written by `selectKeysJson`. */
  readonly passkeys: string
  /** Whether the answered challenge is open and was issued for this act. */
  readonly isChallengeOpen: 0 | 1
}

/** A proof as sent, parsed but not yet checked. */
export interface SentProof {
  readonly code: string | undefined
  readonly recoveryHash: string | null
  /** Null if no passkey answer was sent, or it was malformed. */
  readonly answer: PasskeyAnswer | null
  readonly isPasskey: boolean
}
