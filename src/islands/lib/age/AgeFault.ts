// Apart from age.ts, so that a screen can name the fault before it loads the encryption.

/** Why an age file, or the identity that opens it, cannot be opened. */
type AgeFaultReason = 'wrong_passphrase' | 'not_sealed_to_you' | 'altered'

/** What opening throws. Anything else that is thrown is a fault of the program or of the browser. */
export class AgeFault extends Error {
  readonly reason: AgeFaultReason

  constructor(reason: AgeFaultReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'AgeFault'
    this.reason = reason
  }
}
