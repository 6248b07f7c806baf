import { ChainError } from '../chainError.ts'
import { computeCrc32, decodeBytewords, encodeBytewords } from './bytewords.ts'
import { CborReader, encodeCborArray, encodeCborBytes, encodeCborUnsigned } from './cbor.ts'
import { listFragments } from './fountain.ts'

/**
 * Writes a message as uniform resources (BCR-2020-005): one, or the first `count` parts of a series. The series goes on beyond the
 * number of fragments: later parts mix several, for receivers that missed some.
 *
 * @param message CBOR
 * @param fragmentBytes the most bytes of the message in one part
 * @param count how many parts; by default as many as there are fragments
 */
export function encodeUr(type: string, message: Uint8Array, fragmentBytes: number, count?: number): string[] {
  const fragments = Math.ceil(message.length / fragmentBytes)
  if (fragments <= 1) return [`ur:${type}/${encodeBytewords(message)}`]
  const size = Math.ceil(message.length / fragments)
  const checksum = computeCrc32(message)
  return Array.from({ length: count ?? fragments }, (_, i) => {
    const data = new Uint8Array(size)
    for (const at of listFragments(i + 1, fragments, checksum))
      applyXor(data, message.subarray(at * size, (at + 1) * size))
    const part = [
      ...encodeCborArray(5),
      ...encodeCborUnsigned(i + 1),
      ...encodeCborUnsigned(fragments),
      ...encodeCborUnsigned(message.length),
      ...encodeCborUnsigned(checksum),
      ...encodeCborBytes(data),
    ]
    return `ur:${type}/${i + 1}-${fragments}/${encodeBytewords(Uint8Array.from(part))}`
  })
}

/** Puts scanned parts together, in any order, with repetitions and mixed parts. One reader reads one message. */
export class UrReader {
  #type: string | null = null
  #series: Omit<Part, 'number' | 'data'> | null = null
  #fragments: Uint8Array[] = []
  readonly #seen = new Set<number>()
  /** Parts whose fragments are not all known yet. */
  #mixed: MixedPart[] = []
  #message: Uint8Array | null = null

  /** The type and the message (CBOR), or null while parts are missing. */
  get result(): { type: string; message: Uint8Array } | null {
    return this.#message === null || this.#type === null ? null : { type: this.#type, message: this.#message }
  }

  /** How many of the fragments are known. */
  get progress(): { have: number; need: number } {
    if (this.#message !== null) return { have: this.#series?.count ?? 1, need: this.#series?.count ?? 1 }
    return { have: this.#fragments.filter(Boolean).length, need: this.#series?.count ?? 1 }
  }

  /** Takes a scanned text. Throws if it is damaged, or belongs to another message. */
  receive(text: string): void {
    const [, type = '', sequence, body = ''] =
      /^ur:([a-z0-9-]+)\/(?:(\d+-\d+)\/)?([a-z]+)$/i.exec(text.trim()) ?? []
    if (type === '' || text.length > MAXIMUM_TEXT)
      throw new ChainError('not_a_ur', 'This QR code is not part of a transaction.')
    if (this.#type !== null && this.#type !== type.toLowerCase()) throw createOtherMessageError()
    const bytes = decodeBytewords(body)
    if (sequence === undefined) {
      if (this.#series !== null) throw createOtherMessageError()
      this.#message = bytes
    } else this.#receivePart(readPart(bytes, sequence))
    this.#type = type.toLowerCase()
  }

  #receivePart({ number, data, ...series }: Part): void {
    if (this.#series !== null && JSON.stringify(this.#series) !== JSON.stringify(series))
      throw createOtherMessageError()
    if (this.#series === null && this.#message !== null) throw createOtherMessageError()
    this.#series = series
    if (this.#message !== null || this.#seen.has(number) || this.#mixed.length > MAXIMUM_MIXED) return
    this.#seen.add(number)
    this.#mixed.push({ indexes: listFragments(number, series.count, series.checksum), data })
    this.#resolve()
    if (this.progress.have === series.count) this.#finish(series)
  }

  /** Takes known fragments out of mixed parts until no part becomes a fragment any more. */
  #resolve(): void {
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const part of this.#mixed) {
        for (const index of part.indexes.filter((candidate) => this.#fragments[candidate] !== undefined)) {
          applyXor(part.data, this.#fragments[index] ?? part.data)
          part.indexes = part.indexes.filter((candidate) => candidate !== index)
        }
        const [index] = part.indexes
        if (index === undefined || part.indexes.length > 1) continue
        this.#fragments[index] = part.data
        part.indexes = []
        isNew = true
      }
      this.#mixed = this.#mixed.filter(({ indexes }) => indexes.length > 0)
    }
  }

  #finish({ length, checksum }: Pick<Part, 'length' | 'checksum'>): void {
    const message = Uint8Array.from(this.#fragments.flatMap((fragment) => [...fragment])).slice(0, length)
    if (computeCrc32(message) !== checksum) {
      this.#fragments = []
      this.#seen.clear()
      throw new ChainError(
        'bad_ur',
        'The parts of the animated QR code do not fit together. Please scan again.',
      )
    }
    this.#message = message
  }
}

interface Part {
  number: number
  /** How many fragments the message has, and how many bytes. */
  count: number
  length: number
  checksum: number
  /** Bytes in each part. */
  size: number
  data: Uint8Array
}

interface MixedPart {
  indexes: number[]
  data: Uint8Array
}

/** A QR code holds fewer characters. */
const MAXIMUM_TEXT = 5_000
const MAXIMUM_FRAGMENTS = 2_000
const MAXIMUM_MIXED = 4_000

function readPart(bytes: Uint8Array, sequence: string): Part {
  const reader = new CborReader(bytes)
  const items = reader.arrayLength()
  const [number, count, length, checksum] = [
    reader.unsigned(),
    reader.unsigned(),
    reader.unsigned(),
    reader.unsigned(),
  ]
  const data = reader.bytes()
  reader.end()
  const isPossible =
    items === 5 &&
    number >= 1 &&
    count >= 1 &&
    count <= MAXIMUM_FRAGMENTS &&
    length > (count - 1) * data.length &&
    length <= count * data.length
  if (!isPossible || sequence !== `${number}-${count}`) {
    throw new ChainError('bad_ur', 'This part of the animated QR code is damaged.')
  }
  return { number, count, length, checksum, size: data.length, data }
}

function createOtherMessageError(): ChainError {
  return new ChainError('other_ur', 'This QR code belongs to another message. Please begin again.')
}

/** XOR. Mixing twice takes out again. */
function applyXor(into: Uint8Array, fragment: Uint8Array): void {
  fragment.forEach((byte, i) => {
    into[i] = (into[i] ?? 0) ^ byte
  })
}
