/** Why an age file, or the identity that opens it, cannot be opened. */
export type AgeFaultReason = 'wrong_passphrase' | 'not_sealed_to_you' | 'altered'

/** What opening throws. Anything else that is thrown is a fault of the program or of the browser. */
export class AgeFault extends Error {
  readonly reason: AgeFaultReason

  constructor(reason: AgeFaultReason, cause?: unknown) {
    super(reason, { cause })
    this.name = 'AgeFault'
    this.reason = reason
  }
}
