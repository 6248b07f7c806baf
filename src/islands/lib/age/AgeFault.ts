// In its own file, so that a screen can check for this error without loading the encryption.

/** Thrown when an age file, or the identity that opens it, cannot be opened. Any other error is a bug. */
export class AgeFault extends Error {
  readonly reason: 'wrong_passphrase' | 'not_sealed_to_you' | 'altered'

  constructor(reason: AgeFault['reason'], cause?: unknown) {
    super(reason, { cause })
    this.name = 'AgeFault'
    this.reason = reason
  }
}
