import { ChainError } from '../chainError.ts'

/** CRC-32 as in ISO/IEC 13239 (zip, PNG). */
export function computeCrc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff
  for (const byte of bytes) {
    remainder ^= byte
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ ((remainder & 1) * 0xedb88320)
  }
  return (remainder ^ 0xffffffff) >>> 0
}

/** Writes bytes and their CRC-32 as minimal bytewords (BCR-2020-012): two letters for each byte. */
export function encodeBytewords(bytes: Uint8Array): string {
  return [...bytes, ...encodeBigEndian(computeCrc32(bytes))].map((byte) => PAIRS[byte]).join('')
}

/** Reads minimal bytewords in either case. Refuses unknown letters and a wrong checksum. */
export function decodeBytewords(text: string): Uint8Array {
  const pairs = text.toLowerCase().match(/../g) ?? []
  const bytes = Uint8Array.from(pairs, (pair) => BYTES.get(pair) ?? refuse())
  if (text.length % 2 !== 0 || bytes.length < 5) refuse()
  const body = bytes.slice(0, -4)
  if (encodeBigEndian(computeCrc32(body)).some((byte, i) => byte !== bytes[body.length + i])) refuse()
  return body
}

/** Four bytes, the most significant first. */
export function encodeBigEndian(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)
}

function refuse(): never {
  throw new ChainError('bad_ur', 'This part of the animated QR code is damaged.')
}

/** The first and last letters of the 256 words, in order. */
const LETTERS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdl' +
  'dyeheyeoeeecenemetesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhe' +
  'hnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltloldlelulklgmnmy' +
  'mhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrs' +
  'rtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevwvavdvswlwdwmwpwewyws' +
  'wtwnwzwfwkykynylyaytzszoztzczezm'
const PAIRS = LETTERS.match(/../g) ?? []
const BYTES = new Map(PAIRS.map((pair, byte) => [pair, byte]))
