import {
  createDamagedError,
  createView,
  decodeLatin1,
  joinBytesWithin,
  type Picture,
  sumLengths,
  takeBytes,
} from './bytes.ts'

export function isWebp(bytes: Uint8Array): boolean {
  return decodeLatin1(bytes, 0, 4) === 'RIFF' && decodeLatin1(bytes, 8, 4) === 'WEBP'
}

/**
 * Reads a WebP (RFC 9649) chunk by chunk. Drops EXIF, XMP, unknown chunks and everything after the container, and
 * clears the flags. Refuses a canvas that differs from the pixels' size.
 */
export function readWebp(bytes: Uint8Array<ArrayBuffer>): Picture {
  const end = 8 + createView(bytes).getUint32(4, true)
  const chunks = [...readChunks(takeBytes(bytes, 12, end))]
  const [first] = chunks
  if (!first) throw createDamagedError()
  const size = first.type === 'VP8X' ? readCanvasSize(first) : readBitstreamSize(first)
  const kept = first.type === 'VP8X' ? buildExtended(chunks, size) : first.parts
  return { ...size, bytes: joinBytesWithin(bytes, buildContainer(kept)) }
}

/** `parts` are the chunk's bytes and its padding. */
type Chunk = { type: string; body: Uint8Array; parts: Uint8Array[] }
type Size = { width: number; height: number }

function* readChunks(bytes: Uint8Array): Generator<Chunk> {
  const data = createView(bytes)
  for (let at = 0; at < bytes.length; ) {
    const bodyEnd = at + 8 + data.getUint32(at + 4, true)
    const body = takeBytes(bytes, at + 8, bodyEnd)
    // Odd chunks are padded by one byte, which some writers omit at the end.
    const isOdd = (bodyEnd & 1) === 1
    const whole = takeBytes(bytes, at, bodyEnd)
    yield { type: decodeLatin1(bytes, at, 4), body, parts: isOdd ? [whole, new Uint8Array(1)] : [whole] }
    at = bodyEnd + (isOdd ? 1 : 0)
  }
}

const BITSTREAMS = ['VP8 ', 'VP8L']
const HAS_EXIF_OR_XMP = 0x08 | 0x04

function buildExtended(chunks: readonly Chunk[], canvas: Size): Uint8Array[] {
  const still = chunks.filter((chunk) => BITSTREAMS.includes(chunk.type))
  const frames = chunks.filter((chunk) => chunk.type === 'ANMF')
  if (still.length > 1 || still.length + frames.length === 0) throw createDamagedError()
  for (const chunk of still) if (!isSameSize(readBitstreamSize(chunk), canvas)) throw createDamagedError()
  return chunks.flatMap((chunk, index) => {
    if (chunk.type === 'VP8X') return index === 0 ? clearMetadataFlags(chunk) : []
    if (chunk.type === 'ANMF') return buildFrame(chunk, canvas)
    return DRAWING.has(chunk.type) ? chunk.parts : []
  })
}

const DRAWING = new Set([...BITSTREAMS, 'ALPH', 'ICCP', 'ANIM'])

function clearMetadataFlags({ parts: [bytes, ...padding] }: Chunk): Uint8Array[] {
  if (!bytes) throw createDamagedError()
  const copy = bytes.slice()
  copy[8] = (copy[8] ?? 0) & ~HAS_EXIF_OR_XMP
  return [copy, ...padding]
}

const FRAME_HEADER_BYTES = 16

/** Filters the chunks inside an animation frame, which must fit on the canvas. */
function buildFrame(chunk: Chunk, canvas: Size): Uint8Array[] {
  const x = 2 * readUint24(chunk.body, 0)
  const y = 2 * readUint24(chunk.body, 3)
  const size = { width: readUint24(chunk.body, 6) + 1, height: readUint24(chunk.body, 9) + 1 }
  if (x + size.width > canvas.width || y + size.height > canvas.height) throw createDamagedError()
  const kept = [...readChunks(takeBytes(chunk.body, FRAME_HEADER_BYTES, chunk.body.length))].filter(
    (inner) => BITSTREAMS.includes(inner.type) || inner.type === 'ALPH',
  )
  const pictures = kept.filter((inner) => BITSTREAMS.includes(inner.type))
  const [picture] = pictures
  if (!picture || pictures.length > 1 || !isSameSize(readBitstreamSize(picture), size))
    throw createDamagedError()
  const body = [chunk.body.subarray(0, FRAME_HEADER_BYTES), ...kept.flatMap(({ parts }) => parts)]
  return [buildHeader('ANMF', sumLengths(body)), ...body]
}

function readCanvasSize(chunk: Chunk): Size {
  if (chunk.body.length !== 10) throw createDamagedError()
  return { width: readUint24(chunk.body, 4) + 1, height: readUint24(chunk.body, 7) + 1 }
}

/** Lossy: RFC 6386, section 9.1. Lossless: RFC 9649, section 3.4. */
function readBitstreamSize(chunk: Chunk): Size {
  const data = createView(chunk.body)
  if (chunk.type === 'VP8 ') {
    const isKeyFrame = (data.getUint8(0) & 1) === 0
    if (!isKeyFrame || decodeLatin1(chunk.body, 3, 3) !== '\x9d\x01\x2a') throw createDamagedError()
    return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff }
  }
  if (chunk.type !== 'VP8L' || data.getUint8(0) !== 0x2f) throw createDamagedError()
  const bits = data.getUint32(1, true)
  if (bits >>> 29 !== 0) throw createDamagedError()
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height
}

function readUint24(bytes: Uint8Array, at: number): number {
  const data = createView(bytes)
  return data.getUint16(at, true) | (data.getUint8(at + 2) << 16)
}

function buildContainer(chunks: readonly Uint8Array[]): Uint8Array[] {
  const body = [new TextEncoder().encode('WEBP'), ...chunks]
  return [buildHeader('RIFF', sumLengths(body)), ...body]
}

function buildHeader(type: string, length: number): Uint8Array {
  const bytes = new Uint8Array(8)
  bytes.set(new TextEncoder().encode(type))
  createView(bytes).setUint32(4, length, true)
  return bytes
}
