import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUr } from './ur.ts'

/** The 256 bytewords of BCR-2020-012. */
const WORDS =
  'able acid also apex aqua arch atom aunt away axis back bald barn belt beta bias blue body brag brew bulb buzz calm cash cats chef city claw code cola cook cost crux curl cusp cyan dark data days deli dice diet door down draw drop drum dull duty each easy echo edge epic even exam exit eyes fact fair fern figs film fish fizz flap flew flux foxy free frog fuel fund gala game gear gems gift girl glow good gray grim guru gush gyro half hang hard hawk heat help high hill holy hope horn huts iced idea idle inch inky into iris iron item jade jazz join jolt jowl judo jugs jump junk jury keep keno kept keys kick kiln king kite kiwi knob lamb lava lazy leaf legs liar limp lion list logo loud love luau luck lung main many math maze memo menu meow mild mint miss monk nail navy need news next noon note numb obey oboe omit onyx open oval owls paid part peck play plus poem pool pose puff puma purr quad quiz race ramp real redo rich road rock roof ruby ruin runs rust safe saga scar sets silk skew slot soap solo song stub surf swan taco task taxi tent tied time tiny toil tomb toys trip tuna twin ugly undo unit urge user vast very veto vial vibe view visa void vows wall wand warm wasp wave waxy webs what when whiz wolf work yank yawn yell yoga yurt zaps zero zest zinc zone zoom'.split(
    ' ',
  )

/** Minimal bytewords with their checksum, as a wallet writes them. */
function encode(cbor: readonly number[]): string {
  const check = new Uint8Array(4)
  new DataView(check.buffer).setUint32(0, crc32(Uint8Array.from(cbor)))
  return [...cbor, ...check].map((byte) => `${WORDS[byte]?.[0]}${WORDS[byte]?.[3]}`).join('')
}

function byteString(bytes: Uint8Array): number[] {
  const { length } = bytes
  if (length < 24) return [0x40 + length, ...bytes]
  return length < 256 ? [0x58, length, ...bytes] : [0x59, length >> 8, length & 255, ...bytes]
}

const unreadable = expect.objectContaining({ name: 'ChainError', code: 'unreadable' })

describe('the text of a QR code', () => {
  it('is encoded here as the published example is', () => {
    // The seed of BCR-2020-006: a map with 16 bytes.
    const seed = [0xa1, 0x01, 0x50, ...Buffer.from('04f2ec840b58b112bee276b886c03778', 'hex')]
    expect(encode(seed)).toBe('oyadgdaawzwplrbdhdpabgrnvokorolnrtemksayyadmut')
  })

  it('gives the bytes in it, in either case and of each type', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        fc.constantFrom('crypto-psbt', 'psbt', 'bytes'),
        (bytes, type) => {
          const text = `ur:${type}/${encode(byteString(bytes))}`
          expect([...decodeUr(text)]).toEqual([...bytes])
          expect([...decodeUr(` ${text.toUpperCase()}\n`)]).toEqual([...bytes])
        },
      ),
    )
    expect([...decodeUr(`ur:bytes/${encode([0xd9, 1, 0x36, 0x41, 7])}`)]).toEqual([7])
  })

  it('is refused if a part is missing or wrong', () => {
    const good = `ur:crypto-psbt/${encode(byteString(Uint8Array.of(1, 2, 3)))}`
    for (const text of [
      '',
      'ur:crypto-psbt/',
      'ur:crypto-psbt/1-3/lpadaxcfaocy',
      good.replace('crypto-psbt', 'crypto-seed'),
      good.slice(0, -2),
      good.slice(0, -1),
      good.replace('/fx', '/fy'),
      `ur:bytes/${encode([0x83, 1, 2, 3])}`,
      `ur:bytes/${encode([0x41, 1, 2])}`,
      `ur:bytes/${encode([0x5a, 0, 0])}`,
      `ur:bytes/${encode([])}`,
      'ur:bytes/zyzy',
    ])
      expect(() => decodeUr(text), text).toThrow(unreadable)
  })
})
