import { ChainError } from '../chainError.ts'
import { CborReader, encodeCborBytes } from '../ur/cbor.ts'
import { encodeUr, UrReader } from '../ur/multipart.ts'

/**
 * Splits a PSBT into the texts of an animated QR code, which hardware wallets scan (`ur:crypto-psbt`, BCR-2020-006). In upper case, for
 * which QR codes need less space. Half as many parts again mix fragments, so that a missed one does not cost a whole round.
 */
export function encodePsbtFrames(psbt: Uint8Array, fragmentBytes = FRAGMENT_BYTES): string[] {
  const message = Uint8Array.from(encodeCborBytes(psbt))
  const fragments = Math.ceil(message.length / fragmentBytes)
  return encodeUr('crypto-psbt', message, fragmentBytes, Math.ceil(1.5 * fragments)).map((frame) =>
    frame.toUpperCase(),
  )
}

/** Puts a PSBT together from the animated QR code of a hardware wallet. */
export class PsbtScanner {
  readonly #reader = new UrReader()

  /** Takes a scanned text and returns the PSBT once it is complete. Throws if the text is damaged or something else. */
  receive(text: string): Uint8Array | null {
    if (!/^ur:(?:crypto-)?psbt\//i.test(text.trim())) {
      throw new ChainError('not_a_psbt', 'This QR code is not part of a signed transaction.')
    }
    this.#reader.receive(text)
    const { result } = this.#reader
    if (result === null) return null
    const cbor = new CborReader(result.message)
    const psbt = cbor.bytes()
    cbor.end()
    return psbt
  }

  get progress(): { have: number; need: number } {
    return this.#reader.progress
  }
}

/** Gives about 270 characters for each code, few enough for the cameras of hardware wallets. */
const FRAGMENT_BYTES = 100
