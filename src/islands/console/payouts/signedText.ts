/** The bytes that every PSBT begins with (BIP 174). */
const PSBT_MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff]

/** Reads a wallet's file as text that can be pasted: a binary PSBT becomes base64, other files are text already. */
export async function readSignedText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (PSBT_MAGIC.every((byte, place) => bytes[place] === byte)) return encodeBase64(bytes)
  return new TextDecoder().decode(bytes).trim()
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
