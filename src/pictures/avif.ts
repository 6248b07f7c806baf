import { type Box, readBoxes, requireBox } from './boxes.ts'
import { createDamagedError, createView, decodeLatin1, type Picture, takeBytes } from './bytes.ts'

export function isAvif(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || decodeLatin1(bytes, 4, 4) !== 'ftyp') return false
  const end = Math.min(createView(bytes).getUint32(0), bytes.length, MAX_BRANDS_BYTES)
  for (let at = 8; at + 4 <= end; at += 4) {
    // A version number follows the major brand.
    if (at !== 12 && ['avif', 'avis'].includes(decodeLatin1(bytes, at, 4))) return true
  }
  return false
}

/**
 * Reads an AVIF (AOM's AV1 Image File Format on ISO/IEC 23008-12) box by box. Offsets refer to positions in the file,
 * so metadata is overwritten with zeros instead of removed: EXIF and XMP items, user data, unknown boxes.
 */
export function readAvif(bytes: Uint8Array<ArrayBuffer>): Picture {
  const boxes = readBoxes(bytes, 0, bytes.length)
  requireBox(boxes, 'ftyp')
  const meta = readMetaChildren(bytes, requireBox(boxes, 'meta'))
  const items = readItemTypes(bytes, requireBox(meta, 'iinf'))
  const primary = readPrimaryItem(bytes, requireBox(meta, 'pitm'))
  const primaryType = items.get(primary)
  if (primaryType !== 'av01' && primaryType !== 'grid') throw createDamagedError()
  const size = readSize(bytes, requireBox(meta, 'iprp'), primary)
  const extents = readItemExtents(bytes, meta, boxes)
  if (!extents.get(primary)?.length) throw createDamagedError()

  clearItems(bytes, items, extents)
  for (const box of boxes) if (!PICTURE_BOXES.has(box.type)) clearBox(bytes, box)
  for (const box of boxes) if (box.type === 'moov') clearUserData(bytes, box)
  return { ...size, bytes }
}

const MAX_BRANDS_BYTES = 256
const PICTURE_BOXES = new Set(['ftyp', 'meta', 'mdat', 'moov'])
const PICTURE_ITEMS = new Set(['av01', 'grid', 'iden', 'iovl', 'tmap'])

function readMetaChildren(bytes: Uint8Array, meta: Box): Box[] {
  const children = readBoxes(bytes, meta.body + 4, meta.end)
  for (const box of children)
    if (['free', 'skip', 'uuid', 'xml ', 'bxml'].includes(box.type)) clearBox(bytes, box)
  return children
}

function readPrimaryItem(bytes: Uint8Array, pitm: Box): number {
  const data = createView(bytes)
  return data.getUint8(pitm.body) === 0 ? data.getUint16(pitm.body + 4) : data.getUint32(pitm.body + 4)
}

function readItemTypes(bytes: Uint8Array, iinf: Box): Map<number, string> {
  const data = createView(bytes)
  const entries = iinf.body + (data.getUint8(iinf.body) === 0 ? 6 : 8)
  const types = new Map<number, string>()
  for (const infe of readBoxes(bytes, entries, iinf.end)) {
    const version = data.getUint8(infe.body)
    if (infe.type !== 'infe' || version < 2 || version > 3) throw createDamagedError()
    const id = version === 2 ? data.getUint16(infe.body + 4) : data.getUint32(infe.body + 4)
    if (types.has(id)) throw createDamagedError()
    types.set(id, decodeLatin1(bytes, infe.body + (version === 2 ? 8 : 10), 4))
  }
  return types
}

/** The primary item's size in pixels (`ispe`, through the associations in `ipma`). */
function readSize(bytes: Uint8Array, iprp: Box, item: number) {
  const data = createView(bytes)
  const children = readBoxes(bytes, iprp.body, iprp.end)
  const container = requireBox(children, 'ipco')
  const properties = readBoxes(bytes, container.body, container.end)
  for (const ipma of children.filter((box) => box.type === 'ipma')) {
    const box = readProperties(bytes, ipma, item)
      .map((index) => properties[index - 1])
      .find((property) => property?.type === 'ispe')
    if (box) return { width: data.getUint32(box.body + 4), height: data.getUint32(box.body + 8) }
  }
  throw createDamagedError()
}

function readProperties(bytes: Uint8Array, ipma: Box, item: number): number[] {
  const data = createView(bytes)
  const wideIds = data.getUint8(ipma.body) > 0
  const wideIndexes = (data.getUint8(ipma.body + 3) & 1) === 1
  let at = ipma.body + 8
  for (let left = data.getUint32(ipma.body + 4); left > 0; left--) {
    const id = wideIds ? data.getUint32(at) : data.getUint16(at)
    const first = at + (wideIds ? 5 : 3)
    const count = data.getUint8(first - 1)
    at = first + count * (wideIndexes ? 2 : 1)
    if (id !== item) continue
    // The highest bit marks essential properties; the rest is the 1-based index in the container.
    return Array.from({ length: count }, (_, i) =>
      wideIndexes ? data.getUint16(first + 2 * i) & 0x7fff : data.getUint8(first + i) & 0x7f,
    )
  }
  return []
}

type Extent = { start: number; end: number }

const FROM_FILE = 0
const FROM_IDAT = 1

/**
 * The position of each item's bytes in the file (`iloc`, ISO/IEC 14496-12, 8.11.3). All must be in a data box, so that
 * overwriting them keeps the file's structure.
 */
function readItemExtents(
  bytes: Uint8Array,
  meta: readonly Box[],
  boxes: readonly Box[],
): Map<number, Extent[]> {
  const iloc = requireBox(meta, 'iloc')
  const idat = meta.find((box) => box.type === 'idat')
  const dataBoxes = [...boxes.filter((box) => box.type === 'mdat'), ...(idat ? [idat] : [])]
  const data = createView(takeBytes(bytes, 0, iloc.end))
  const version = data.getUint8(iloc.body)
  const sizes = data.getUint16(iloc.body + 4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const allSizes = [offsetSize, lengthSize, baseSize, indexSize]
  if (version > 2 || lengthSize === 0 || !allSizes.every((size) => [0, 4, 8].includes(size)))
    throw createDamagedError()

  let at = iloc.body + 6
  const take = (size: number): number => {
    at += size
    if (size === 0) return 0
    if (size === 2) return data.getUint16(at - 2)
    return size === 4 ? data.getUint32(at - 4) : Number(data.getBigUint64(at - 8))
  }
  const wide = version === 2 ? 4 : 2
  const extents = new Map<number, Extent[]>()
  for (let items = take(wide); items > 0; items--) {
    const id = take(wide)
    const method = version === 0 ? FROM_FILE : take(2) & 15
    take(2)
    const origin = take(baseSize) + (method === FROM_IDAT ? (idat?.body ?? Number.NaN) : 0)
    const own: Extent[] = []
    for (let count = take(2); count > 0; count--) {
      take(indexSize)
      const start = origin + take(offsetSize)
      const end = start + take(lengthSize)
      if (method > FROM_IDAT) continue
      if (!dataBoxes.some((box) => box.body <= start && end <= box.end)) throw createDamagedError()
      own.push({ start, end })
    }
    if (extents.has(id)) throw createDamagedError()
    extents.set(id, own)
  }
  return extents
}

/**
 * Overwrites metadata items with zeros. EXIF items get the shortest TIFF header if there is room, because some decoders
 * require valid EXIF.
 */
function clearItems(bytes: Uint8Array, items: Map<number, string>, extents: Map<number, Extent[]>) {
  let overwritten = 0
  for (const [id, type] of items) {
    if (PICTURE_ITEMS.has(type)) continue
    for (const { start, end } of extents.get(id) ?? []) {
      overwritten += end - start
      // Overlapping extents could make this loop overwrite the whole file many times.
      if (overwritten > bytes.length) throw createDamagedError()
      bytes.fill(0, start, end)
      if (type === 'Exif' && end - start >= 4 + EMPTY_TIFF.length) bytes.set(EMPTY_TIFF, start + 4)
    }
  }
}

const EMPTY_TIFF = Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0)

const FREE = new TextEncoder().encode('free')

function clearBox(bytes: Uint8Array, box: Box) {
  bytes.set(FREE, box.start + 4)
  bytes.fill(0, box.body, box.end)
}

function clearUserData(bytes: Uint8Array, box: Box) {
  for (const child of readBoxes(bytes, box.body, box.end)) {
    if (['udta', 'meta', 'uuid', 'free', 'skip'].includes(child.type)) clearBox(bytes, child)
    // Tracks have their own user data, but their child boxes do not.
    if (child.type === 'trak' && box.type === 'moov') clearUserData(bytes, child)
  }
}
