import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { joinBytes } from '../contract/bytes.ts'
import { MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../contract/uploads.ts'
import { createView, decodeLatin1 } from './bytes.ts'
import { inspectImage as inspectInPlace } from './inspect.ts'
import { copyAnimatedWebp, copyAvif, copyGif, copyJpeg, copyPng, copySvg, copyWebp } from './samples.ts'

/** Inspects a copy: the inspection writes within the bytes, and the samples are shared. */
const inspectImage = (bytes: Uint8Array) => inspectInPlace(new Uint8Array(bytes))

const SAMPLES = {
  PNG: copyPng(),
  GIF: copyGif(),
  JPEG: copyJpeg(),
  WEBP: copyWebp(),
  ANIMATED_WEBP: copyAnimatedWebp(),
  AVIF: copyAvif(),
  SVG: copySvg(),
}

const text = (words: string) => Uint8Array.from(words, (character) => character.charCodeAt(0))
const holds = (bytes: Uint8Array, words: string) => Buffer.from(bytes).includes(words, 0, 'latin1')
const placeOf = (bytes: Uint8Array, words: string) => Buffer.from(bytes).indexOf(words, 0, 'latin1')

/** A copy with these bytes written over it. */
function patched(bytes: Uint8Array, at: number, patch: number[]): Uint8Array {
  const copy = bytes.slice()
  copy.set(patch, at)
  return copy
}

function inserted(bytes: Uint8Array, at: number, piece: Uint8Array): Uint8Array {
  return joinBytes([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

function kept(bytes: Uint8Array): Uint8Array {
  const inspected = inspectImage(bytes.slice())
  if (!inspected.ok) throw new Error(inspected.msg)
  return inspected.bytes
}

const refusal = (msg: string) => ({ ok: false, msg })

test.each([
  ['image/png', 'png', copyPng()],
  ['image/gif', 'gif', copyGif()],
  ['image/jpeg', 'jpg', copyJpeg()],
  ['image/webp', 'webp', copyWebp()],
  ['image/webp', 'webp', copyAnimatedWebp()],
  ['image/avif', 'avif', copyAvif()],
  ['image/svg+xml', 'svg', copySvg()],
])('a picture of type %s is taken with its size', (type, extension, bytes) => {
  expect(inspectImage(bytes.slice())).toMatchObject({ ok: true, type, extension, width: 48, height: 32 })
})

test.each(Object.entries(SAMPLES))('what was cleaned once is not changed again: %s', (_, bytes) => {
  expect(kept(kept(bytes))).toEqual(kept(bytes))
})

test.each(Object.entries(SAMPLES))('a picture within a larger buffer is read alone: %s', (_, bytes) => {
  const surrounded = joinBytes([text('before'), bytes, text('behind')]).subarray(6, 6 + bytes.length)
  expect(kept(surrounded)).toEqual(kept(bytes))
})

test.each([
  ['PNG', copyPng(), ['SECRET OWNER']],
  ['JPEG', copyJpeg(), ['SECRET OWNER', 'SECRET PLACE']],
  ['WebP', copyWebp(), ['SECRET OWNER', 'SECRET PLACE']],
  ['AVIF', copyAvif(), ['SECRET OWNER', 'SECRET PLACE']],
])('EXIF and XMP are there before and gone after: %s', (_, bytes, secrets) => {
  for (const secret of secrets) {
    expect(holds(bytes, secret)).toBe(true)
    expect(holds(kept(bytes), secret)).toBe(false)
  }
})

test('the flags of a WebP no longer promise the metadata that was left out', () => {
  expect((copyWebp()[20] ?? 0) & 0x0c).toBe(0x0c)
  expect((kept(copyWebp())[20] ?? 0) & 0x0c).toBe(0)
  expect(createView(kept(copyWebp())).getUint32(4, true)).toBe(kept(copyWebp()).length - 8)
})

test('an AVIF keeps its length, since everything in it is found by its place', () => {
  expect(kept(copyAvif())).toHaveLength(copyAvif().length)
})

test('an AVIF loses the words in its free space and unknown boxes', () => {
  const box = (type: string) => joinBytes([Uint8Array.of(0, 0, 0, 20), text(`${type}SECRET WORDS`)])
  for (const type of ['free', 'uuid', 'junk']) {
    expect(holds(kept(joinBytes([copyAvif(), box(type)])), 'SECRET')).toBe(false)
  }
})

test.each([
  ['PNG', copyPng()],
  ['GIF', copyGif()],
  ['JPEG', copyJpeg()],
  ['WebP', copyWebp()],
])('what hangs behind the end is cut: %s', (_, bytes) => {
  const polyglot = joinBytes([bytes, text('<script>alert(1)</script>PK\x03\x04')])
  expect(kept(polyglot)).toEqual(kept(bytes))
})

test('a PNG loses its text, times and private chunks', () => {
  const chunks = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'prVt'].map((type) =>
    joinBytes([Uint8Array.of(0, 0, 0, 6), text(`${type}SECRET`), new Uint8Array(4)]),
  )
  const bytes = kept(inserted(copyPng(), 33, joinBytes(chunks)))
  expect(holds(bytes, 'SECRET')).toBe(false)
  expect(bytes).toEqual(kept(copyPng()))
})

test('a GIF loses comments, plain text and other applications’ blocks, and keeps its loop', () => {
  const extension = (label: number, first: string) =>
    joinBytes([
      Uint8Array.of(0x21, label, first.length),
      text(first),
      Uint8Array.of(6),
      text('SECRET'),
      Uint8Array.of(0),
    ])
  const blocks = [extension(0xfe, 'hi'), extension(0x01, 'twelve bytes'), extension(0xff, 'XMP DataXMP')]
  const start = placeOf(copyGif(), '\x21\xff')
  expect(kept(inserted(copyGif(), start, joinBytes(blocks)))).toEqual(kept(copyGif()))
  expect(holds(kept(copyGif()), 'NETSCAPE2.0')).toBe(true)
  expect(kept(inserted(copyGif(), start, extension(0xff, 'NETSCAPE2.0')))).toEqual(kept(copyGif()))
})

test('a JPEG loses comments and the thumbnail in its header, and keeps its colour profile', () => {
  const segment = (marker: number, body: string) =>
    joinBytes([Uint8Array.of(0xff, marker, 0, body.length + 2), text(body)])
  const bare = kept(copyJpeg())
  const extra = [
    segment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01SECRET'),
    segment(0xfe, 'SECRET'),
    segment(0xed, 'Photoshop 3.0 SECRET'),
    segment(0xe2, 'MPF\0SECRET'),
  ]
  expect(holds(kept(inserted(bare, 2, joinBytes(extra))), 'SECRET')).toBe(false)
  const profile = inserted(bare, 2, segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'))
  expect(kept(profile)).toEqual(profile)
})

test('no bytes and too many bytes are refused as such', () => {
  expect(inspectImage(new Uint8Array())).toEqual(refusal(UPLOAD_WORDS.empty))
  expect(inspectImage(new Uint8Array(MAX_UPLOAD_BYTES + 1))).toEqual(refusal(UPLOAD_WORDS.tooLarge))
})

test.each([
  ['a page', text('<!DOCTYPE html><html><body><script>alert(1)</script></body></html>')],
  ['a page without a doctype', text('<html><body>no picture</body></html>')],
  ['a page that is no XML', text('<p>one<br>two')],
  ['a PDF', text('%PDF-1.7\n')],
  ['an archive', text('PK\x03\x04')],
  ['a program', text('MZ\x90\0')],
  ['words', text('just words')],
  ['a bitmap', text('BM\x36\0\0\0')],
  ['a TIFF', text('II*\0')],
  ['an HEIC', text('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['a video', text('\0\0\0\x18ftypisom\0\0\0\0isommp42')],
  ['a sound in the same container as WebP', text('RIFF\x24\0\0\0WAVEfmt ')],
  ['zeros', new Uint8Array(4096)],
  ['one byte', Uint8Array.of(0x89)],
  [
    'an SVG in UTF-16',
    joinBytes([Uint8Array.of(0xff, 0xfe), new Uint8Array(Buffer.from('<svg/>', 'utf16le'))]),
  ],
])('what is no picture of the six types is refused: %s', (_, bytes) => {
  expect(inspectImage(bytes)).toEqual(refusal(UPLOAD_WORDS.wrongType))
})

test.each(Object.entries(SAMPLES))('a picture that was cut short anywhere is refused: %s', (type, bytes) => {
  // A JPEG with all its pixels is taken without its end marker.
  const first = type === 'JPEG' ? bytes.length - 2 : bytes.length
  for (let length = 1; length < first; length++) {
    expect([length, inspectImage(bytes.subarray(0, length)).ok]).toEqual([length, false])
  }
})

test.each([
  [
    'PNG signature and a page',
    joinBytes([copyPng().subarray(0, 8), text('<html><script>alert(1)</script></html>')]),
  ],
  [
    'JPEG mark and a page',
    joinBytes([copyJpeg().subarray(0, 3), text('<html><script>alert(1)</script></html>')]),
  ],
  ['GIF signature and a script', text('GIF89a=1;alert(1)//')],
  ['PNG whose header’s sum is wrong', patched(copyPng(), 16, [0, 0, 1, 0])],
  ['PNG without pixels', joinBytes([copyPng().subarray(0, 33), copyPng().subarray(-12)])],
  [
    'PNG with an unknown critical chunk',
    inserted(copyPng(), 33, new Uint8Array([0, 0, 0, 0, 88, 88, 88, 88, 0, 0, 0, 0])),
  ],
  ['PNG with two headers', inserted(copyPng(), 33, copyPng().subarray(8, 33))],
  ['PNG whose pixels are no zlib', patched(copyPng(), placeOf(copyPng(), 'IDAT') + 4, [0xff, 0xff])],
  [
    'GIF without a frame',
    joinBytes([copyGif().subarray(0, placeOf(copyGif(), '\x21\xff')), Uint8Array.of(0x3b)]),
  ],
  [
    'GIF whose frame is larger than any picture',
    patched(copyGif(), placeOf(copyGif(), '\x2c\0\0\0\0') + 5, [0xff, 0xff]),
  ],
  ['JPEG with two frames', jpegWithTwoFrames()],
  [
    'JPEG without a scan',
    joinBytes([copyJpeg().subarray(0, placeOf(copyJpeg(), '\xff\xda')), Uint8Array.of(0xff, 0xd9)]),
  ],
  ['WebP whose canvas is not its picture’s', patched(copyWebp(), 24, [200, 0, 0])],
  ['WebP with more in its header than a header has', withLongHeader(copyWebp())],
  ['WebP without a picture', joinBytes([text('RIFF\x04\0\0\0WEBP')])],
  [
    'WebP whose frame leaves the canvas',
    patched(copyAnimatedWebp(), placeOf(copyAnimatedWebp(), 'ANMF') + 8, [9, 0, 0]),
  ],
  ['AVIF whose item lies beyond the file', copyAvif().subarray(0, placeOf(copyAvif(), 'mdat') + 10)],
  ['AVIF without a size', patched(copyAvif(), placeOf(copyAvif(), 'ispe'), [...text('ispx')])],
  ['AVIF that holds another codec', patched(copyAvif(), placeOf(copyAvif(), 'av01'), [...text('hvc1')])],
  ['AVIF with two meta boxes', inserted(copyAvif(), placeOf(copyAvif(), 'meta') - 4, avifMeta())],
])('a file that lies about itself is refused as damaged: %s', (_, bytes) => {
  expect(inspectImage(bytes)).toEqual(refusal(UPLOAD_WORDS.damaged))
})

function jpegWithTwoFrames(): Uint8Array {
  const at = placeOf(copyJpeg(), '\xff\xc0')
  return inserted(copyJpeg(), at, copyJpeg().subarray(at, at + 2 + createView(copyJpeg()).getUint16(at + 2)))
}

function avifMeta(): Uint8Array {
  const at = placeOf(copyAvif(), 'meta') - 4
  return copyAvif().subarray(at, at + createView(copyAvif()).getUint32(at))
}

const JPEG_SIZE = placeOf(copyJpeg(), '\xff\xc0') + 5
const ISPE_SIZE = placeOf(copyAvif(), 'ispe') + 8

test.each([
  ['GIF', patched(copyGif(), 6, [0x11, 0x27]), UPLOAD_WORDS.tooBig],
  ['GIF', patched(copyGif(), 6, [31, 0]), UPLOAD_WORDS.tooSmall],
  ['GIF', patched(copyGif(), 6, [0, 0, 0, 0]), UPLOAD_WORDS.tooSmall],
  ['JPEG', patched(copyJpeg(), JPEG_SIZE, [0xff, 0xff, 0xff, 0xff]), UPLOAD_WORDS.tooBig],
  ['JPEG', patched(copyJpeg(), JPEG_SIZE, [0, 0]), UPLOAD_WORDS.tooSmall],
  ['AVIF', patched(copyAvif(), ISPE_SIZE, [0xff, 0xff, 0xff, 0xff]), UPLOAD_WORDS.tooBig],
  ['AVIF', patched(copyAvif(), ISPE_SIZE, [0, 0, 0, 1]), UPLOAD_WORDS.tooSmall],
  ['PNG', pngOfSize(10_001, 32), UPLOAD_WORDS.tooBig],
  ['PNG', pngOfSize(0x7fffffff, 0x7fffffff), UPLOAD_WORDS.tooBig],
  ['PNG', pngOfSize(32, 31), UPLOAD_WORDS.tooSmall],
])('sides outside 32 to 10,000 pixels are refused: %s', (_, bytes, words) => {
  expect(inspectImage(bytes)).toEqual(refusal(words))
})

test('sides of exactly 32 and 10,000 pixels are taken', () => {
  expect(inspectImage(pngOfSize(10_000, 32))).toMatchObject({ ok: true, width: 10_000, height: 32 })
})

/** The sample under a header of this size, with the right sum. */
function pngOfSize(width: number, height: number): Uint8Array {
  const png = copyPng().slice()
  const data = createView(png)
  data.setUint32(16, width)
  data.setUint32(20, height)
  let crc = 0xffffffff
  for (const byte of png.subarray(12, 29)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  data.setUint32(29, ~crc >>> 0)
  return png
}

test('whatever bytes come, an answer comes, and what is taken stays what it is', () => {
  const sample = fc.constantFrom(...Object.values(SAMPLES))
  const edits = fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(sample, edits, fc.nat(1000), (bytes, changes, cut) => {
      const hostile = bytes.slice(0, Math.max(1, bytes.length - (cut < 500 ? 0 : cut)))
      for (const [at, byte] of changes) hostile[at % hostile.length] = byte
      const inspected = inspectImage(hostile)
      if (!inspected.ok) return Object.values<string>(UPLOAD_WORDS).includes(inspected.msg)
      return inspectImage(inspected.bytes).ok
    }),
    randomRuns(5000, 1),
  )
})

// A reader whose work grew with the square of the length would take hours for these.
test('eight megabytes of the same few bytes are answered', { timeout: 60_000 }, () => {
  const beginnings = [copyPng(), copyGif(), copyJpeg(), copyWebp(), copyAvif()].map((bytes) =>
    bytes.subarray(0, 40),
  )
  const fillers = ['\0', '\xff', '\0\0\0\x08', '\xff\xfe\0\x02', ' ', 'url( ']
  for (const beginning of [...beginnings, text('<svg'), text('<svg viewBox="'), text('<svg x="url(')]) {
    for (const filler of fillers) {
      const bytes = new Uint8Array(Buffer.alloc(MAX_UPLOAD_BYTES, filler, 'latin1'))
      bytes.set(beginning)
      expect([decodeLatin1(beginning, 0, 8), inspectImage(bytes).ok]).toEqual([
        decodeLatin1(beginning, 0, 8),
        false,
      ])
    }
  }
})

test.each(Object.entries(SAMPLES).filter(([type]) => type !== 'SVG'))(
  'the stored %s lies in the bytes that were sent, without a copy',
  (_, sample) => {
    const bytes = new Uint8Array(sample)
    const inspected = inspectInPlace(bytes)
    expect(inspected.ok && inspected.bytes.buffer === bytes.buffer).toBe(true)
  },
)

/** A WebP whose first chunk has four bytes of its own behind its fields. */
function withLongHeader(webp: Uint8Array): Uint8Array {
  const size = webp.length - 8 + 4
  return patched(patched(inserted(webp, 30, text('MORE')), 16, [14]), 4, [size & 255, size >> 8])
}
