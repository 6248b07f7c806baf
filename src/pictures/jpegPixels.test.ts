import sharp, { type JpegOptions } from 'sharp'
import { expect, test } from 'vitest'
import { joinBytes } from '../contract/bytes.ts'
import { UPLOAD_WORDS } from '../contract/uploads.ts'
import { decodeLatin1 } from './bytes.ts'
import { inspectImage } from './inspect.ts'
import { copyJpeg } from './samples.ts'

const END = Uint8Array.of(0xff, 0xd9)
/** Other data of a phone: it contains markers, also an end of an image. */
const TRAILER = joinBytes([
  Uint8Array.of(0, 0, 0x30, 0x0a),
  new TextEncoder().encode('Panorama_Shot_Info SECRET'),
  Uint8Array.of(0xff, 0xc4, 0xff, 0xd9, 0xff, 0xfe),
  new TextEncoder().encode('SEFT'),
])

/** A JPEG of noise, so that all lengths of codes occur. */
async function makeNoise(
  width: number,
  height: number,
  options: JpegOptions & { channels?: 1 | 3 },
): Promise<Uint8Array> {
  const { channels = 3, ...jpeg } = options
  let state = 7
  const pixels = Uint8Array.from({ length: width * height * channels }, () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state >> 16
  })
  const picture = sharp(pixels, { raw: { width, height, channels } })
  return new Uint8Array(await (channels === 1 ? picture.toColourspace('b-w') : picture).jpeg(jpeg).toBuffer())
}

const inspect = (bytes: Uint8Array) => inspectImage(new Uint8Array(bytes))

test.each([
  ['4:2:0', 67, 45, { chromaSubsampling: '4:2:0' }],
  ['4:4:4', 64, 40, { chromaSubsampling: '4:4:4' }],
  ['one component', 61, 47, { channels: 1 as const }],
  ['optimised codes', 50, 50, { optimiseCoding: true }],
  ['standard codes', 50, 50, { optimiseCoding: false }],
  ['best quality', 90, 33, { quality: 100 }],
])('a picture that lacks its end marker is taken as if it had one: %s', async (_, width, height, options) => {
  const whole = await makeNoise(width, height, options)
  expect(whole.subarray(-2)).toEqual(END)
  const wanted = inspect(whole)
  expect(wanted).toMatchObject({ ok: true, width, height })
  expect(inspect(whole.subarray(0, -2))).toEqual(wanted)
  expect(inspect(joinBytes([whole.subarray(0, -2), TRAILER]))).toEqual(wanted)
})

test('restart markers within the pixels are followed', async () => {
  const whole = addRestarts(await makeFlat())
  const wanted = inspect(whole)
  expect(wanted).toMatchObject({ ok: true })
  expect(inspect(joinBytes([whole.subarray(0, -2), TRAILER]))).toEqual(wanted)
  expect(inspect(joinBytes([whole.subarray(0, -4), TRAILER]))).toEqual({
    ok: false,
    msg: UPLOAD_WORDS.damaged,
  })
})

test('pixels that end too early are refused, with and without other data behind them', async () => {
  const whole = await makeNoise(67, 45, {})
  const refused = { ok: false, msg: UPLOAD_WORDS.damaged }
  for (let length = whole.length - 3; length > 2; length -= 97) {
    expect([length, inspect(whole.subarray(0, length))]).toEqual([length, refused])
    // The trailer's first bytes could be the last pixels, so more is missing here.
    const cut = whole.subarray(0, Math.max(2, length - TRAILER.length))
    expect([length, inspect(joinBytes([cut, TRAILER]))]).toEqual([length, refused])
  }
})

test('stray bytes between the segments are dropped', () => {
  const wanted = inspect(copyJpeg())
  const tables = Buffer.from(copyJpeg()).indexOf('\xff\xdb', 0, 'latin1')
  for (const stray of ['SECRET', '\0\0\0', '\xff\0SECRET', '\xff\xd3', '\xff\xff']) {
    const bytes = Uint8Array.from(stray, (character) => character.charCodeAt(0))
    const picture = joinBytes([copyJpeg().subarray(0, tables), bytes, copyJpeg().subarray(tables)])
    expect([stray, inspect(picture)]).toEqual([stray, wanted])
  }
})

/** A picture of one colour and one component: each of its units has the same bits. */
async function makeFlat(): Promise<Uint8Array> {
  const pixels = new Uint8Array(64 * 64).fill(128)
  const picture = sharp(pixels, { raw: { width: 64, height: 64, channels: 1 } }).toColourspace('b-w')
  return new Uint8Array(await picture.jpeg({ optimiseCoding: false }).toBuffer())
}

/** The same flat picture with a restart marker after each unit, whose bits fill a byte. */
function addRestarts(flat: Uint8Array): Uint8Array {
  const scan = Buffer.from(flat).indexOf('\xff\xda', 0, 'latin1')
  const start = scan + 2 + (((flat[scan + 2] ?? 0) << 8) | (flat[scan + 3] ?? 0))
  // A difference of zero and the end of the block: "00" and "1010" in the standard codes, then ones.
  const units = Array.from({ length: 64 }, (_, unit) =>
    unit === 63 ? [0b00101011] : [0b00101011, 0xff, 0xd0 + (unit % 8)],
  )
  expect(decodeLatin1(flat, scan, 2)).toBe('\xff\xda')
  return joinBytes([
    flat.subarray(0, scan),
    Uint8Array.of(0xff, 0xdd, 0, 4, 0, 1),
    flat.subarray(scan, start),
    Uint8Array.from(units.flat()),
    END,
  ])
}
