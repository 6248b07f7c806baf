import { ChainError } from './chainError.ts'

/**
 * Decodes the text of a QR code in one part, `ur:crypto-psbt/…`, `ur:psbt/…` or `ur:bytes/…`, to the bytes in it (BCR-2020-005: minimal
 * bytewords with a CRC-32, then a CBOR byte string). The parts of an animated code are put together by whoever scans them.
 */
export function decodeUr(text: string): Uint8Array {
  const words = /^ur:(?:crypto-psbt|psbt|bytes)\/((?:[a-z]{2})+)$/.exec(text.trim().toLowerCase())?.[1]
  if (words === undefined) throw unreadable()
  const bytes = Uint8Array.from({ length: words.length / 2 }, (_, i) => {
    const at = BYTEWORDS.indexOf(words.slice(2 * i, 2 * i + 2))
    if (at === -1) throw unreadable()
    return at
  })
  const [content, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)]
  if (
    checksum.length < 4 ||
    new DataView(checksum.buffer, checksum.byteOffset).getUint32(0) !== crc32(content)
  )
    throw unreadable()
  return byteString(content)
}

function unreadable(): ChainError {
  return new ChainError(
    'unreadable',
    'This is not the whole text of a signed transaction’s QR code. Please scan it again, or use the file.',
  )
}

/** The first and last letters of the 256 bytewords in the order of their values (BCR-2020-012). */
const BYTEWORDS: readonly string[] =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhehnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrsrtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm'.match(
    /../g,
  ) ?? []

/** The checksum of Ethernet and ZIP files. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/** The one byte string (major type 2) that a CBOR text consists of (RFC 8949), behind tags if there are any. */
function byteString(cbor: Uint8Array): Uint8Array {
  let at = 0
  for (;;) {
    const [type, length, next] = headAt(cbor, at)
    at = next
    if (type === 6) continue
    if (type !== 2 || at + length !== cbor.length) throw unreadable()
    return cbor.subarray(at)
  }
}

/** The major type, the number behind it, and where the content begins. */
function headAt(cbor: Uint8Array, at: number): [type: number, value: number, next: number] {
  const first = cbor[at]
  if (first === undefined) throw unreadable()
  const [type, short] = [first >> 5, first & 31]
  if (short < 24) return [type, short, at + 1]
  const size = 2 ** (short - 24)
  if (short > 26 || at + 1 + size > cbor.length) throw unreadable()
  const value = cbor.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0)
  return [type, value, at + 1 + size]
}
