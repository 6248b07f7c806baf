import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour, as a browser's file chooser takes it. */
export function picture(name: string, width = 320, height = 200) {
  return { name, mimeType: 'image/png', buffer: Buffer.from(png(width, height)) }
}

/** A PNG of noise, which nothing makes smaller: `megabytes` as a phone's camera makes them. */
export function photograph(name: string, megabytes: number) {
  const width = 1024
  const height = Math.floor((megabytes * 1024 * 1024) / (3 * width + 1))
  return { name, mimeType: 'image/png', buffer: Buffer.from(png(width, height, noise)) }
}

/** The same picture for a form that is sent without a browser. */
export function pictureBlob(): Blob {
  return new Blob([png(320, 200)], { type: 'image/png' })
}

// Portable Network Graphics, third edition: signature, header, one stretch of data, end.
function png(width: number, height: number, rowOf = seaGreen): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8) // bits a sample
  header.setUint8(9, 2) // red, green and blue
  const rows = Buffer.concat(Array.from({ length: height }, () => rowOf(1 + 3 * width)))
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

const SEA_GREEN = [107, 32, 122]

// Each row begins with its filter: none.
function seaGreen(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index === 0 ? 0 : (SEA_GREEN[index % 3] ?? 0)))
}

function noise(length: number): Uint8Array {
  const row = crypto.getRandomValues(new Uint8Array(length))
  row[0] = 0
  return row
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(type), data])
  const frame = new DataView(new ArrayBuffer(8))
  frame.setUint32(0, data.length)
  frame.setUint32(4, crc32(body))
  return joined([new Uint8Array(frame.buffer, 0, 4), body, new Uint8Array(frame.buffer, 4, 4)])
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
