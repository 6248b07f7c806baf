import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, for a file input. Each has a colour of its own, so that nobody else sends the same. */
export function picture(name: string, width = 320, height = 200) {
  return { name, mimeType: 'image/png', buffer: png(width, height, ofOneColour()) }
}

/** A PNG of about this many megabytes, like a phone's photograph. Its content is noise, which does not compress. */
export function largePicture(name: string, megabytes: number) {
  const width = 1024
  const height = Math.floor((megabytes * 1024 * 1024) / (3 * width + 1))
  return { name, mimeType: 'image/png', buffer: png(width, height, noise) }
}

/** A PNG of noise, so that nobody else sends the same, for a form sent without a browser. */
export function pictureBlob(): Blob {
  return new Blob([png(320, 40, noise)], { type: 'image/png' })
}

// Source: W3C, PNG Specification (Third Edition): signature, IHDR, one IDAT, IEND.
function png(width: number, height: number, rowOf: (length: number) => Uint8Array): Buffer<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8) // bits per sample
  header.setUint8(9, 2) // red, green and blue
  const rows = Buffer.concat(Array.from({ length: height }, () => rowOf(1 + 3 * width)))
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

// The first byte of a row is its filter: 0, none.
function ofOneColour() {
  const colour = crypto.getRandomValues(new Uint8Array(3))
  return (length: number) =>
    Uint8Array.from({ length }, (_, index) => (index === 0 ? 0 : (colour[index % 3] ?? 0)))
}

function noise(length: number): Uint8Array {
  const row = crypto.getRandomValues(new Uint8Array(length))
  row[0] = 0
  return row
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([new TextEncoder().encode(type), data])
  const frame = new DataView(new ArrayBuffer(8))
  frame.setUint32(0, data.length)
  frame.setUint32(4, crc32(body))
  return Buffer.concat([new Uint8Array(frame.buffer, 0, 4), body, new Uint8Array(frame.buffer, 4, 4)])
}
