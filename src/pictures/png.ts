import {
  createDamagedError,
  createView,
  decodeLatin1,
  joinBytesWithin,
  type Picture,
  takeBytes,
} from './bytes.ts'
import { buildTiffOrientation, readTiffOrientation } from './orientation.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'

export function isPng(bytes: Uint8Array): boolean {
  return decodeLatin1(bytes, 0, SIGNATURE.length) === SIGNATURE
}

/**
 * Reads a PNG (W3C PNG, third edition) chunk by chunk. Keeps only chunks that affect rendering, and the orientation of
 * EXIF: drops text, the rest of EXIF, times, private chunks and everything after IEND.
 */
export function readPng(bytes: Uint8Array<ArrayBuffer>): Picture {
  const data = createView(bytes)
  const kept = [takeBytes(bytes, 0, SIGNATURE.length)]
  const header = readHeader(bytes)
  const seen = new Set<string>()
  for (let at = SIGNATURE.length; ; ) {
    const type = decodeLatin1(bytes, at + 4, 4)
    const end = at + 12 + data.getUint32(at)
    const chunk = takeBytes(bytes, at, end)
    if (type === 'IHDR' && seen.has(type)) throw createDamagedError()
    if (type === 'IDAT' && !seen.has(type) && !isZlib(chunk.subarray(8))) throw createDamagedError()
    if (DRAWING.has(type)) {
      if (!BULK.has(type) && computeCrc32(chunk.subarray(4, -4)) !== data.getUint32(end - 4))
        throw createDamagedError()
      kept.push(chunk)
      seen.add(type)
    } else if (type === EXIF && !seen.has(type)) {
      const orientation = readTiffOrientation(chunk.subarray(8, -4))
      if (orientation !== 1) kept.push(buildChunk(EXIF, buildTiffOrientation(orientation)))
      seen.add(type)
    } else if (isCritical(type)) {
      throw createDamagedError()
    }
    if (type === 'IEND') break
    at = end
  }
  if (!seen.has('IDAT') || (header.indexed && !seen.has('PLTE'))) throw createDamagedError()
  return { width: header.width, height: header.height, bytes: joinBytesWithin(bytes, kept) }
}

/** EXIF, of which the orientation is kept: browsers turn a PNG by it as they turn a JPEG. */
const EXIF = 'eXIf'

// The pixel chunks make up most of a file. Their checksums are left to decoders, because this module does not read the pixels.
const BULK = new Set(['IDAT', 'fdAT'])

const DRAWING = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'sBIT', 'pHYs'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
])

const DEPTHS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function readHeader(bytes: Uint8Array) {
  const data = createView(bytes)
  if (data.getUint32(8) !== 13 || decodeLatin1(bytes, 12, 4) !== 'IHDR') throw createDamagedError()
  const depth = data.getUint8(24)
  const colour = data.getUint8(25)
  const [compression, filter, interlace] = [data.getUint8(26), data.getUint8(27), data.getUint8(28)]
  if (!DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw createDamagedError()
  return { width: data.getUint32(16), height: data.getUint32(20), indexed: colour === 3 }
}

/** RFC 1950: the method is deflate, and the first two bytes are a multiple of 31. The first chunk may be shorter. */
function isZlib(chunk: Uint8Array): boolean {
  const [method = 0, flags = 0] = chunk
  return chunk.length < 6 || ((method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0)
}

function buildChunk(type: string, content: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + content.length)
  const data = createView(chunk)
  data.setUint32(0, content.length)
  chunk.set(
    Uint8Array.from(type, (character) => character.charCodeAt(0)),
    4,
  )
  chunk.set(content, 8)
  data.setUint32(8 + content.length, computeCrc32(chunk.subarray(4, -4)))
  return chunk
}

function isCritical(type: string): boolean {
  return !/^[a-z]/.test(type)
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  return remainder
})

function computeCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}
