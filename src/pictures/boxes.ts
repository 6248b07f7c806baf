import { createDamagedError, createView, decodeLatin1 } from './bytes.ts'

/** A box of the ISO base media file format, as offsets: its start, the start of its body, and its end. */
export type Box = { type: string; start: number; body: number; end: number }

/** Parses the boxes that fill the bytes from `start` to `end` exactly. */
export function readBoxes(bytes: Uint8Array, start: number, end: number): Box[] {
  const data = createView(bytes)
  const boxes: Box[] = []
  for (let at = start; at < end; ) {
    const length = data.getUint32(at)
    const isLong = length === 1
    // A length of zero means "to the end".
    const next = at + (isLong ? Number(data.getBigUint64(at + 8)) : length || end - at)
    const body = at + (isLong ? 16 : 8)
    if (next > end || body > next) throw createDamagedError()
    boxes.push({ type: decodeLatin1(bytes, at + 4, 4), start: at, body, end: next })
    at = next
  }
  return boxes
}

/** The only box of this type. None or several count as damage, because readers disagree on which of several to use. */
export function requireBox(boxes: readonly Box[], type: string): Box {
  const [box, second] = boxes.filter((candidate) => candidate.type === type)
  if (!box || second) throw createDamagedError()
  return box
}
