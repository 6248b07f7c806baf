const HEADER_BYTES = 6
const ENTRY_BYTES = 16

/**
 * An ICO file that holds one PNG, which every browser of the last fifteen years reads.
 * The format: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 *
 * @param size the picture's width and height in pixels, less than 256
 */
export function ico(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + ENTRY_BYTES + png.length)
  const view = new DataView(file.buffer)
  view.setUint16(2, 1, true) // an icon, not a cursor
  view.setUint16(4, 1, true) // one picture
  view.setUint8(6, size)
  view.setUint8(7, size)
  view.setUint16(10, 1, true) // colour planes
  view.setUint16(12, 32, true) // bits a pixel
  view.setUint32(14, png.length, true)
  view.setUint32(18, HEADER_BYTES + ENTRY_BYTES, true)
  file.set(png, HEADER_BYTES + ENTRY_BYTES)
  return file
}
