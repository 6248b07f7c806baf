import { DER } from '@noble/curves/abstract/weierstrass.js'

/**
 * Stands in for `@peculiar/asn1-schema` and `@peculiar/asn1-ecc`, of which `@simplewebauthn/server` needs one thing here: the two
 * numbers of an ECDSA signature (RFC 3279, section 2.2.3). `@noble/curves`, which the Worker has anyway, reads them as strictly; the
 * packages and the parser under them would take a tenth of the Worker's size. wrangler.toml and vitest.config.ts name this file.
 */
export class ECDSASigValue {
  readonly r: Uint8Array
  readonly s: Uint8Array

  constructor(der: Uint8Array) {
    const { r, s } = DER.toSig(der)
    this.r = bigEndian(r)
    this.s = bigEndian(s)
  }
}

export const AsnParser = {
  /** Refuses anything but a signature, such as a certificate. */
  parse(der: ArrayBuffer | Uint8Array, schema: unknown): ECDSASigValue {
    if (schema !== ECDSASigValue) throw new Error('No certificate was asked for')
    return new ECDSASigValue(new Uint8Array(der))
  },
}

/** Without leading zeros: the library pads to the length of the curve. */
function bigEndian(value: bigint): Uint8Array {
  const hex = value.toString(16)
  return Uint8Array.from((hex.length % 2 ? `0${hex}` : hex).match(/../g) ?? [], (byte) =>
    Number.parseInt(byte, 16),
  )
}

export {
  ECParameters,
  id_ecdsaWithSHA256,
  id_ecdsaWithSHA384,
  id_ecdsaWithSHA512,
  id_ecPublicKey,
  id_secp256r1,
  id_secp384r1,
  OctetString,
} from './noCertificates.ts'
