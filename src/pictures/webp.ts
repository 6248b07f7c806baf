import { damaged, joinedWithin, latin1, type Picture, slice, sumLengths, viewOf } from './bytes.ts'

export function isWebp(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 4) === 'WEBP'
}

/**
 * Reads a WebP (RFC 9649) chunk by chunk. Drops EXIF, XMP, unknown chunks and everything after the container, and
 * clears the flags. Refuses a canvas that differs from the pixels' size.
 */
export function readWebp(bytes: Uint8Array<ArrayBuffer>): Picture {
  const end = 8 + viewOf(bytes).getUint32(4, true)
  const chunks = [...chunksOf(slice(bytes, 12, end))]
  const [first] = chunks
  if (!first) throw damaged()
  const size = first.type === 'VP8X' ? canvasSize(first) : bitstreamSize(first)
  const kept = first.type === 'VP8X' ? extended(chunks, size) : first.parts
  return { ...size, bytes: joinedWithin(bytes, container(kept)) }
}

/** `parts` are the chunk's bytes and its padding. */
type Chunk = { type: string; body: Uint8Array; parts: Uint8Array[] }
type Size = { width: number; height: number }

function* chunksOf(bytes: Uint8Array): Generator<Chunk> {
  const data = viewOf(bytes)
  for (let at = 0; at < bytes.length; ) {
    const bodyEnd = at + 8 + data.getUint32(at + 4, true)
    const body = slice(bytes, at + 8, bodyEnd)
    // Odd chunks are padded by one byte, which some writers omit at the end.
    const isOdd = (bodyEnd & 1) === 1
    const whole = slice(bytes, at, bodyEnd)
    yield { type: latin1(bytes, at, 4), body, parts: isOdd ? [whole, new Uint8Array(1)] : [whole] }
    at = bodyEnd + (isOdd ? 1 : 0)
  }
}

const BITSTREAMS = ['VP8 ', 'VP8L']
const HAS_EXIF_OR_XMP = 0x08 | 0x04

function extended(chunks: readonly Chunk[], canvas: Size): Uint8Array[] {
  const still = chunks.filter((chunk) => BITSTREAMS.includes(chunk.type))
  const frames = chunks.filter((chunk) => chunk.type === 'ANMF')
  if (still.length > 1 || still.length + frames.length === 0) throw damaged()
  for (const chunk of still) if (!isSameSize(bitstreamSize(chunk), canvas)) throw damaged()
  return chunks.flatMap((chunk, index) => {
    if (chunk.type === 'VP8X') return index === 0 ? withoutMetadataFlags(chunk) : []
    if (chunk.type === 'ANMF') return frame(chunk, canvas)
    return DRAWING.has(chunk.type) ? chunk.parts : []
  })
}

const DRAWING = new Set([...BITSTREAMS, 'ALPH', 'ICCP', 'ANIM'])

function withoutMetadataFlags({ parts: [bytes, ...padding] }: Chunk): Uint8Array[] {
  if (!bytes) throw damaged()
  const copy = bytes.slice()
  copy[8] = (copy[8] ?? 0) & ~HAS_EXIF_OR_XMP
  return [copy, ...padding]
}

const FRAME_HEADER_BYTES = 16

/** Filters the chunks inside an animation frame, which must fit on the canvas. */
function frame(chunk: Chunk, canvas: Size): Uint8Array[] {
  const x = 2 * uint24(chunk.body, 0)
  const y = 2 * uint24(chunk.body, 3)
  const size = { width: uint24(chunk.body, 6) + 1, height: uint24(chunk.body, 9) + 1 }
  if (x + size.width > canvas.width || y + size.height > canvas.height) throw damaged()
  const kept = [...chunksOf(slice(chunk.body, FRAME_HEADER_BYTES, chunk.body.length))].filter(
    (inner) => BITSTREAMS.includes(inner.type) || inner.type === 'ALPH',
  )
  const pictures = kept.filter((inner) => BITSTREAMS.includes(inner.type))
  const [picture] = pictures
  if (!picture || pictures.length > 1 || !isSameSize(bitstreamSize(picture), size)) throw damaged()
  const body = [chunk.body.subarray(0, FRAME_HEADER_BYTES), ...kept.flatMap(({ parts }) => parts)]
  return [header('ANMF', sumLengths(body)), ...body]
}

function canvasSize(chunk: Chunk): Size {
  if (chunk.body.length !== 10) throw damaged()
  return { width: uint24(chunk.body, 4) + 1, height: uint24(chunk.body, 7) + 1 }
}

/** Lossy: RFC 6386, section 9.1. Lossless: RFC 9649, section 3.4. */
function bitstreamSize(chunk: Chunk): Size {
  const data = viewOf(chunk.body)
  if (chunk.type === 'VP8 ') {
    const isKeyFrame = (data.getUint8(0) & 1) === 0
    if (!isKeyFrame || latin1(chunk.body, 3, 3) !== '\x9d\x01\x2a') throw damaged()
    return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff }
  }
  if (chunk.type !== 'VP8L' || data.getUint8(0) !== 0x2f) throw damaged()
  const bits = data.getUint32(1, true)
  if (bits >>> 29 !== 0) throw damaged()
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height
}

function uint24(bytes: Uint8Array, at: number): number {
  const data = viewOf(bytes)
  return data.getUint16(at, true) | (data.getUint8(at + 2) << 16)
}

function container(chunks: readonly Uint8Array[]): Uint8Array[] {
  const body = [new TextEncoder().encode('WEBP'), ...chunks]
  return [header('RIFF', sumLengths(body)), ...body]
}

function header(type: string, length: number): Uint8Array {
  const bytes = new Uint8Array(8)
  bytes.set(new TextEncoder().encode(type))
  viewOf(bytes).setUint32(4, length, true)
  return bytes
}
