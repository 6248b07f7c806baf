import type { AuthenticationResponseJSON } from '@simplewebauthn/server'

// What a second factor's proof is; identity/factors checks it.

/** An answer that was read and not yet checked. */
export interface PasskeyAnswer {
  readonly credentialId: string
  /** Of the challenge that it says it answers. */
  readonly challenge: string
  readonly challengeHash: string
  readonly response: AuthenticationResponseJSON
}

/** What a code is compared with. */
export interface CodeFactor {
  /** The app's secret, where it is on. */
  readonly secretSealed: string | null
  readonly lastStep: number
  /** The hash of the code that was sent, where that is an unused recovery code of theirs. */
  readonly recoveryHash: string | null
  /** Until when codes of the app are refused, as `codesRefusedUntil` gives it. */
  readonly refusedUntil: number | null
}

/** The second factors that somebody has, and what of them the proof that was sent names. */
export interface Factors extends CodeFactor {
  readonly ownerEmail: string
  readonly ownerName: string
  readonly ownerRole: 'investor' | 'operator'
  /** As `keysAsJson` writes them. */
  readonly passkeys: string
  /** Whether the challenge that was answered is open, and was put for just this. */
  readonly isAsked: 0 | 1
}

/** A proof as it was sent, read and not yet checked. */
export interface SentProof {
  readonly code: string | undefined
  readonly recoveryHash: string | null
  /** Null where none was sent, or what was sent can be none. */
  readonly answer: PasskeyAnswer | null
  readonly isPasskey: boolean
}

/** The proof that came with an act, with what it is checked against. */
export interface ShownFactor {
  readonly sent: SentProof
  readonly factors: Omit<Factors, 'isAsked'>
  /** What the challenge that the passkey answered is bound to; null where it is not open. */
  readonly context: string | null
}
