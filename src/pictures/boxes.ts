import { damaged, latin1, viewOf } from './bytes.ts'

/** A box of the ISO base media file format: where it starts, where its body starts, and where both end. */
export type Box = { type: string; start: number; body: number; end: number }

/** The boxes that fill the bytes from `start` to `end` exactly. */
export function boxesOf(bytes: Uint8Array, start: number, end: number): Box[] {
  const data = viewOf(bytes)
  const boxes: Box[] = []
  for (let at = start; at < end; ) {
    const length = data.getUint32(at)
    const isLong = length === 1
    // A length of zero means: up to the end.
    const next = at + (isLong ? Number(data.getBigUint64(at + 8)) : length || end - at)
    const body = at + (isLong ? 16 : 8)
    if (next > end || body > next) throw damaged()
    boxes.push({ type: latin1(bytes, at + 4, 4), start: at, body, end: next })
    at = next
  }
  return boxes
}

/** The one box of this type; none or several are damage, since readers disagree on which of several counts. */
export function onlyBox(boxes: readonly Box[], type: string): Box {
  const [box, second] = boxes.filter((candidate) => candidate.type === type)
  if (!box || second) throw damaged()
  return box
}
