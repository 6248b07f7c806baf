import { MAX_SIDE } from '../contract/uploads.ts'
import {
  createDamagedError,
  createView,
  decodeLatin1,
  joinBytesWithin,
  type Picture,
  takeBytes,
} from './bytes.ts'

export function isGif(bytes: Uint8Array): boolean {
  return ['GIF87a', 'GIF89a'].includes(decodeLatin1(bytes, 0, 6))
}

/**
 * Reads a GIF (CompuServe's GIF89a) block by block. Drops comments, plain text, application blocks (XMP among them) and
 * everything after the trailer. Animations keep their frames and loop count.
 */
export function readGif(bytes: Uint8Array<ArrayBuffer>): Picture {
  const data = createView(bytes)
  const start = 13 + countColourTableBytes(data.getUint8(10))
  const kept = [takeBytes(bytes, 0, start)]
  let frames = 0
  for (let at = start; ; ) {
    const introducer = data.getUint8(at)
    if (introducer === TRAILER) break
    if (introducer === IMAGE) {
      if (data.getUint16(at + 5, true) > MAX_SIDE || data.getUint16(at + 7, true) > MAX_SIDE)
        throw createDamagedError()
      const pixels = at + 10 + countColourTableBytes(data.getUint8(at + 9))
      const codeSize = data.getUint8(pixels)
      if (codeSize < 2 || codeSize > 8) throw createDamagedError()
      const end = endOfSubBlocks(data, pixels + 1)
      kept.push(takeBytes(bytes, at, end))
      frames += 1
      at = end
    } else if (introducer === EXTENSION) {
      const end = endOfSubBlocks(data, at + 2)
      if (isDrawing(bytes, at)) kept.push(takeBytes(bytes, at, end))
      at = end
    } else {
      throw createDamagedError()
    }
  }
  if (frames === 0) throw createDamagedError()
  return {
    width: data.getUint16(6, true),
    height: data.getUint16(8, true),
    bytes: joinBytesWithin(bytes, [...kept, Uint8Array.of(TRAILER)]),
  }
}

const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** Whether an extension sets delay and transparency of the next frame, or the loop count. */
function isDrawing(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] === GRAPHIC_CONTROL) return bytes[at + 2] === 4 && bytes[at + 7] === 0
  // A loop count is one sub-block of three bytes; a longer one contains other data.
  return (
    bytes[at + 1] === APPLICATION &&
    bytes[at + 2] === 11 &&
    LOOPS.includes(decodeLatin1(bytes, at + 3, 11)) &&
    bytes[at + 14] === 3 &&
    bytes[at + 18] === 0
  )
}

function countColourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0
}

/** Each sub-block starts with its length; an empty one is the last. */
function endOfSubBlocks(data: DataView, start: number): number {
  let at = start
  for (;;) {
    const length = data.getUint8(at)
    at += 1 + length
    if (length === 0) return at
  }
}
