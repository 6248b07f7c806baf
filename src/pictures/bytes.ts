import { joinBytes } from '../contract/bytes.ts'
import { sum } from '../contract/numbers.ts'
import { UPLOAD_WORDS } from '../contract/uploads.ts'

/** A parsed picture: its size in pixels, and its bytes without metadata. */
export type Picture = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> }

/** Thrown by readers for invalid files; `inspectImage` returns its message. */
export class PictureRefused extends Error {
  override name = 'PictureRefused'
}

export function createDamagedError(): PictureRefused {
  return new PictureRefused(UPLOAD_WORDS.damaged)
}

export function createUnsafeError(): PictureRefused {
  return new PictureRefused(UPLOAD_WORDS.unsafe)
}

/** Reads beyond the end throw a RangeError, which reveals truncated files. */
export function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Decodes bytes as Latin-1, one character each. */
export function decodeLatin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** The bytes from `start` to `end`. Throws if they are not in the file. */
export function takeBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (end > bytes.length || start > end) throw createDamagedError()
  return bytes.subarray(start, end)
}

export function sumLengths(parts: readonly Uint8Array[]): number {
  return sum(parts.map((part) => part.length))
}

/**
 * Joins parts of a file like `joinBytes`, but in place, so that a large picture is not copied. It copies if a longer part would
 * overwrite a part that was not read yet.
 */
export function joinBytesWithin(
  file: Uint8Array<ArrayBuffer>,
  parts: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  let at = file.byteOffset
  for (const part of parts) {
    if (part.buffer === file.buffer && part.byteOffset < at) return joinBytes(parts)
    at += part.length
  }
  const length = at - file.byteOffset
  if (length > file.length) return joinBytes(parts)
  at = 0
  for (const part of parts) {
    file.set(part, at)
    at += part.length
  }
  return file.subarray(0, length)
}
