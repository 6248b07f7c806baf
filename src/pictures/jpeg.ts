import { joinBytes } from '../contract/bytes.ts'
import {
  createDamagedError,
  createView,
  decodeLatin1,
  joinBytesWithin,
  type Picture,
  takeBytes,
} from './bytes.ts'
import { findEndOfPixels } from './jpegPixels.ts'
import { buildOrientationSegment, readOrientation } from './orientation.ts'

export function isJpeg(bytes: Uint8Array): boolean {
  return decodeLatin1(bytes, 0, 3) === '\xff\xd8\xff'
}

/**
 * Reads a JPEG (ITU-T T.81) segment by segment. Keeps tables, frames, scans, the JFIF header without its thumbnail, the
 * ICC profile, Adobe's colour marker and the orientation. Drops the rest of EXIF with its location, XMP, comments,
 * other application segments and everything after the end of the image.
 */
export function readJpeg(bytes: Uint8Array<ArrayBuffer>): Picture {
  const data = createView(bytes)
  const kept = [takeBytes(bytes, 0, 2)]
  const tables: Uint8Array[] = []
  let frame: Uint8Array | undefined
  let size: { width: number; height: number } | undefined
  let hasScan = false
  for (let at = 2; ; ) {
    at = findMarker(bytes, at)
    const marker = data.getUint8(at + 1)
    if (marker === END_OF_IMAGE) break
    if (isAlone(marker)) {
      at += 2
      continue
    }
    const end = at + 2 + data.getUint16(at + 2)
    const segment = takeBytes(bytes, at, end)
    if (segment.length < 4) throw createDamagedError()
    at = end
    if (FRAMES.has(marker)) {
      if (frame) throw createDamagedError()
      frame = segment
      size = readFrameSize(segment)
      kept.push(segment)
    } else if (marker === START_OF_SCAN) {
      if (!frame) throw createDamagedError()
      const next = findEndOfScan(bytes, end)
      const isWhole = isWholeScan(frame, segment)
      const hasEnd = bytes[next + 1] === END_OF_IMAGE
      // Panoramas of some phones lack the end marker, and other data follows the pixels.
      at = isWhole && !hasEnd ? findEndOfPixels(bytes, end, { frame, scan: segment, tables }) : next
      if (at < 0) throw createDamagedError()
      kept.push(segment, takeBytes(bytes, end, at))
      hasScan = true
      if (isWhole) break
    } else if (TABLES.has(marker)) {
      tables.push(segment)
      kept.push(segment)
    } else if (isApplication(marker)) {
      const own = takeDrawingPart(marker, segment)
      if (own) kept.push(own)
    } else if (marker !== COMMENT) {
      throw createDamagedError()
    }
  }
  if (!size || !hasScan) throw createDamagedError()
  return { ...size, bytes: joinBytesWithin(bytes, [...kept, Uint8Array.of(0xff, END_OF_IMAGE)]) }
}

// Baseline, extended sequential and progressive: the frames that browsers support.
const PROGRESSIVE = 0xc2
const FRAMES = new Set([0xc0, 0xc1, PROGRESSIVE])
// Huffman tables, quantisation tables and the restart interval.
const TABLES = new Set([0xc4, 0xdb, 0xdd])
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const COMMENT = 0xfe

function isApplication(marker: number): boolean {
  return marker >= 0xe0 && marker <= 0xef
}

function readFrameSize(segment: Uint8Array) {
  const data = createView(segment)
  const components = data.getUint8(9)
  if (![1, 3, 4].includes(components) || segment.length !== 10 + 3 * components) throw createDamagedError()
  return { width: data.getUint16(7), height: data.getUint16(5) }
}

/** The next marker. Stray bytes before it are skipped, as decoders do, and fill bytes. */
function findMarker(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== 0x00 && next !== 0xff) return at
  }
  throw createDamagedError()
}

/** Markers without a segment: TEM and restarts. Between segments they mean nothing. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

/** Where the marker after the coded pixels stands: the first 0xff that is neither stuffing (0x00) nor a restart. -1 if there is none. */
function findEndOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    const isRestart = next >= 0xd0 && next <= 0xd7
    if (next !== 0x00 && next !== 0xff && !isRestart) return at
  }
  return -1
}

/** Whether a scan holds all pixels of its frame: it is sequential, and has all components. */
function isWholeScan(frame: Uint8Array, scan: Uint8Array): boolean {
  return frame[1] !== PROGRESSIVE && frame[9] === scan[4]
}

/** The part of an application segment that affects rendering, or null. */
function takeDrawingPart(marker: number, segment: Uint8Array): Uint8Array | null {
  if (marker === 0xe0 && decodeLatin1(segment, 4, 5) === 'JFIF\0' && segment.length >= 18) {
    // Only version and density: the thumbnail may show content that was cropped.
    return joinBytes([Uint8Array.of(0xff, 0xe0, 0, 16), segment.subarray(4, 16), Uint8Array.of(0, 0)])
  }
  if (marker === 0xe2 && decodeLatin1(segment, 4, 12) === 'ICC_PROFILE\0') return segment
  if (marker === 0xee && decodeLatin1(segment, 4, 5) === 'Adobe' && segment.length >= 16) {
    return joinBytes([Uint8Array.of(0xff, 0xee, 0, 14), segment.subarray(4, 16)])
  }
  if (marker === 0xe1) {
    const orientation = readOrientation(segment)
    return orientation === 1 ? null : buildOrientationSegment(orientation)
  }
  return null
}
