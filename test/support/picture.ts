import { crc32, deflateSync } from 'node:zlib'

/** A PNG of stripes, for a file input. Nobody else sends the same. */
export function picture(name: string, width = 320, height = 200) {
  return { name, mimeType: 'image/png', buffer: png(width, height, createStripes()) }
}

/** A PNG of about this many megabytes, like a phone's photograph. Its content is noise, which does not compress. */
export function largePicture(name: string, megabytes: number) {
  const width = 1024
  const height = Math.floor((megabytes * 1024 * 1024) / (3 * width + 1))
  return { name, mimeType: 'image/png', buffer: png(width, height, (length) => noise(length)) }
}

/** A small PNG for a form sent without a browser. Nobody else sends the same, unless `fill` fills the bytes of a row as before. */
export function newPicture(fill: (row: Uint8Array<ArrayBuffer>) => void = fillAtRandom): Blob {
  return new Blob([png(48, 32, createStripes(fill))], { type: 'image/png' })
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

/** The same random row again and again, which compresses. */
function createStripes(fill = fillAtRandom): (length: number) => Uint8Array {
  let row: Uint8Array | undefined
  return (length) => {
    row ??= noise(length, fill)
    return row
  }
}

function noise(length: number, fill = fillAtRandom): Uint8Array {
  const row = new Uint8Array(length)
  fill(row)
  // The filter of the row: none.
  row[0] = 0
  return row
}

function fillAtRandom(row: Uint8Array<ArrayBuffer>): void {
  crypto.getRandomValues(row)
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([new TextEncoder().encode(type), data])
  const frame = new DataView(new ArrayBuffer(8))
  frame.setUint32(0, data.length)
  frame.setUint32(4, crc32(body))
  return Buffer.concat([new Uint8Array(frame.buffer, 0, 4), body, new Uint8Array(frame.buffer, 4, 4)])
}
