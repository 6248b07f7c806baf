import { sum } from '../contract/numbers.ts'
import { createView } from './bytes.ts'

/** The segments that say how the pixels of a scan are coded, each with its marker. */
export interface ScanHeaders {
  readonly frame: Uint8Array
  readonly scan: Uint8Array
  /** Huffman tables and the restart interval, in their order; others are ignored. */
  readonly tables: readonly Uint8Array[]
}

/**
 * Where the pixels of a sequential scan with all components end, found by decoding them (ITU-T T.81, F.2.2), or -1 if some are
 * missing. Only lengths are read, no pixel is computed.
 */
export function findEndOfPixels(bytes: Uint8Array, start: number, headers: ScanHeaders): number {
  const { codes, interval } = readTables(headers.tables)
  const blocks = listBlocks(headers, codes)
  const reader = createBitReader(bytes, start)
  const units = countUnits(headers.frame)
  for (let unit = 0; unit < units; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0 && !reader.skipRestart()) return -1
    for (const { dc, ac } of blocks) if (!skipBlock(reader, dc, ac)) return -1
  }
  return reader.findEnd()
}

/** For each 16 bits that may come next: the symbol, and above it the length of its code. Zero for no code. */
type HuffmanTable = Uint16Array

interface Block {
  readonly dc: HuffmanTable
  readonly ac: HuffmanTable
}

const HUFFMAN_TABLES = 0xc4
const RESTART_INTERVAL = 0xdd
/** Tables of the class AC have this bit in their number. */
const AC_CLASS = 0x10

interface HuffmanCode {
  /** How many codes have 1 to 16 bits. */
  readonly counts: Uint8Array
  readonly symbols: Uint8Array
}

/** The Huffman codes in force, by class and place as the standard numbers them, and the restart interval. */
function readTables(segments: readonly Uint8Array[]) {
  const codes = new Map<number, HuffmanCode>()
  let interval = 0
  for (const segment of segments) {
    if (segment[1] === RESTART_INTERVAL) interval = createView(segment).getUint16(4)
    if (segment[1] !== HUFFMAN_TABLES) continue
    for (let at = 4; at < segment.length; ) {
      const counts = segment.subarray(at + 1, at + 17)
      const end = at + 17 + sum(counts)
      codes.set(segment[at] ?? 0, { counts, symbols: segment.subarray(at + 17, end) })
      at = end
    }
  }
  return { codes, interval }
}

function buildTable(code: HuffmanCode | undefined): HuffmanTable {
  const table = new Uint16Array(1 << 16)
  let next = 0
  let place = 0
  code?.counts.forEach((count, index) => {
    const span = 1 << (15 - index)
    for (let i = 0; i < count; i++) {
      table.fill(((index + 1) << 8) | (code.symbols[place] ?? 0), next, next + span)
      next += span
      place++
    }
  })
  return table
}

/** The blocks of one unit (MCU). A single component is coded block by block, whatever its sampling. */
function listBlocks({ scan, frame }: ScanHeaders, codes: ReadonlyMap<number, HuffmanCode>): Block[] {
  const components = listComponents(frame)
  return components.flatMap(({ id, across, down }) => {
    const place = components.findIndex((_, index) => scan[5 + 2 * index] === id)
    const choice = scan[6 + 2 * place] ?? 0
    const block = {
      dc: buildTable(codes.get(choice >> 4)),
      ac: buildTable(codes.get(AC_CLASS | (choice & 15))),
    }
    return new Array<Block>(components.length === 1 ? 1 : across * down).fill(block)
  })
}

function listComponents(frame: Uint8Array) {
  return Array.from({ length: frame[9] ?? 0 }, (_, index) => {
    const sampling = frame[11 + 3 * index] ?? 0
    return { id: frame[10 + 3 * index], across: sampling >> 4, down: sampling & 15 }
  })
}

function countUnits(frame: Uint8Array): number {
  const components = listComponents(frame)
  const isSingle = components.length === 1
  const across = isSingle ? 1 : Math.max(...components.map((component) => component.across))
  const down = isSingle ? 1 : Math.max(...components.map((component) => component.down))
  const data = createView(frame)
  return Math.ceil(data.getUint16(7) / (8 * across)) * Math.ceil(data.getUint16(5) / (8 * down))
}

interface BitReader {
  /** The next 16 bits, with zeros after the end. */
  peek(): number
  /** Skips up to 16 bits. */
  skip(count: number): void
  /** Whether more bits were skipped than there are. */
  isBeyondEnd(): boolean
  /** Skips the rest of a byte and a restart marker. False if there is none. */
  skipRestart(): boolean
  /** The place of the first byte that was not begun, or -1 beyond the end. */
  findEnd(): number
}

function createBitReader(bytes: Uint8Array, start: number): BitReader {
  let at = start
  let bits = 0
  let count = 0
  let added = 0
  const fill = () => {
    while (count < 16) {
      const byte = bytes[at]
      const isData = byte !== undefined && (byte !== 0xff || bytes[at + 1] === 0)
      bits = ((bits << 8) | (isData ? byte : 0)) & 0xffffff
      count += 8
      if (isData) at += byte === 0xff ? 2 : 1
      else added += 8
    }
  }
  const isBeyondEnd = () => count < added
  const findEnd = () => {
    if (isBeyondEnd()) return -1
    let end = at
    // A byte of 0xff has a zero after it.
    for (let unread = count - added; unread >= 8; unread -= 8)
      end -= bytes[end - 1] === 0 && bytes[end - 2] === 0xff ? 2 : 1
    return end
  }
  return {
    peek: () => {
      fill()
      return (bits >> (count - 16)) & 0xffff
    },
    skip: (skipped) => {
      fill()
      count -= skipped
    },
    isBeyondEnd,
    skipRestart: () => {
      let end = findEnd()
      while (bytes[end] === 0xff && bytes[end + 1] === 0xff) end++
      const marker = bytes[end + 1] ?? 0
      if (end < 0 || bytes[end] !== 0xff || marker < 0xd0 || marker > 0xd7) return false
      at = end + 2
      count = 0
      added = 0
      return true
    },
    findEnd,
  }
}

/** Skips one block of 64 coefficients. False if its code is wrong or incomplete. */
function skipBlock(reader: BitReader, dc: HuffmanTable, ac: HuffmanTable): boolean {
  const size = readSymbol(reader, dc)
  if (size < 0 || size > 15) return false
  reader.skip(size)
  for (let k = 1; k < 64; ) {
    const symbol = readSymbol(reader, ac)
    if (symbol < 0) return false
    const run = symbol >> 4
    const length = symbol & 15
    // Without bits, a run of 15 means 16 zeros, and any other the end of the block.
    if (length === 0 && run < 15) break
    reader.skip(length)
    k += run + 1
  }
  return !reader.isBeyondEnd()
}

function readSymbol(reader: BitReader, table: HuffmanTable): number {
  const entry = table[reader.peek()] ?? 0
  if (entry === 0) return -1
  reader.skip(entry >> 8)
  return entry & 0xff
}
