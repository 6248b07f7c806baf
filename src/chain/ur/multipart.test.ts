import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeCrc32, decodeBytewords, encodeBytewords } from './bytewords.ts'
import { CborReader, encodeCborBytes, encodeCborUnsigned } from './cbor.ts'
import { listFragments, pickDegree, Xoshiro256 } from './fountain.ts'
import { encodeUr, UrReader } from './multipart.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

/** The message of the standard's test vectors. */
function makeMessage(length: number): Uint8Array {
  const random = new Xoshiro256(ascii('Wolf'))
  return Uint8Array.from({ length }, () => random.below(256))
}

const message = (length: number) => Uint8Array.from(encodeCborBytes(makeMessage(length)))

// The vectors of BCR-2020-005, BCR-2020-012, BCR-2024-001 and of the reference implementation.
describe('bytewords', () => {
  it('have the checksum of the standard', () => {
    expect(computeCrc32(ascii('Hello, world!'))).toBe(0xebe6c6e6)
    expect(computeCrc32(ascii('Wolf'))).toBe(0x598c84dc)
  })

  it('write two letters for each byte', () => {
    expect(encodeBytewords(Uint8Array.of(0, 1, 2, 128, 255))).toBe('aeadaolazmjendeoti')
    const seed = Buffer.from('d99d6ca20150c7098580125e2ab0981253468b2dbc5202c11947da', 'hex')
    expect(encodeBytewords(seed)).toBe('tantjzoeadgdstaslplabghydrpfmkbggufgludprfgmaosecffltnsoaawkbd')
  })

  it('give back any bytes, in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = encodeBytewords(bytes)
        expect(decodeBytewords(text)).toEqual(Uint8Array.from(bytes))
        expect(decodeBytewords(text.toUpperCase())).toEqual(Uint8Array.from(bytes))
      }),
    )
  })

  it.each(['aeadaolazojendeowf', 'wf', '', 'aeadaolazmjendeot', 'xxadaolazmjendeoti'])(
    'refuse %s',
    (text) => {
      expect(() => decodeBytewords(text)).toThrow(expect.objectContaining({ code: 'bad_ur' }))
    },
  )
})

describe('mixed parts', () => {
  it('use the generator of the standard', () => {
    const random = new Xoshiro256(ascii('Wolf'))
    expect(Array.from({ length: 100 }, () => Number(random.next() % 100n))).toEqual([
      42, 81, 85, 8, 82, 84, 76, 73, 70, 88, 2, 74, 40, 48, 77, 54, 88, 7, 5, 88, 37, 25, 82, 13, 69, 59, 30,
      39, 11, 82, 19, 99, 45, 87, 30, 15, 32, 22, 89, 44, 92, 77, 29, 78, 4, 92, 44, 68, 92, 69, 1, 42, 89,
      50, 37, 84, 63, 34, 32, 3, 17, 62, 40, 98, 82, 89, 24, 43, 85, 39, 15, 3, 99, 29, 20, 42, 27, 10, 85,
      66, 50, 35, 69, 70, 70, 74, 30, 13, 72, 54, 11, 5, 70, 55, 91, 52, 10, 43, 43, 52,
    ])
    expect(Buffer.from(makeMessage(10)).toString('hex')).toBe('916ec65cf77cadf55cd7')
  })

  it('mix as many fragments as the standard says', () => {
    const random = new Xoshiro256(ascii('Wolf'))
    expect(Array.from({ length: 120 }, () => pickDegree(11, random))).toEqual([
      7, 9, 2, 1, 4, 2, 1, 1, 3, 10, 7, 1, 1, 4, 3, 8, 6, 2, 3, 2, 1, 1, 4, 5, 8, 4, 4, 1, 6, 1, 5, 2, 3, 3,
      5, 2, 1, 10, 2, 5, 1, 1, 1, 5, 5, 11, 1, 1, 8, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 11, 1, 1, 5, 1, 1, 1, 3, 7,
      3, 3, 2, 2, 4, 2, 1, 3, 1, 1, 8, 2, 1, 1, 2, 7, 1, 1, 2, 1, 2, 1, 4, 1, 1, 1, 2, 1, 8, 1, 5, 4, 2, 1, 1,
      1, 1, 4, 1, 8, 1, 5, 4, 9, 1, 8, 6, 6, 7, 5, 4, 8,
    ])
  })

  it('mix the fragments that the standard says', () => {
    const checksum = computeCrc32(makeMessage(1024))
    expect(Array.from({ length: 50 }, (_, i) => listFragments(i + 1, 11, checksum))).toEqual([
      [0],
      [1],
      [2],
      [3],
      [4],
      [5],
      [6],
      [7],
      [8],
      [9],
      [10],
      [9],
      [2, 5, 6, 8, 9, 10],
      [8],
      [1, 5],
      [1],
      [0, 2, 4, 5, 8, 10],
      [5],
      [2],
      [2],
      [0, 1, 3, 4, 5, 7, 9, 10],
      [0, 1, 2, 3, 5, 6, 8, 9, 10],
      [0, 2, 4, 5, 7, 8, 9, 10],
      [3, 5],
      [4],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [0, 1, 3, 4, 5, 6, 7, 9, 10],
      [6],
      [5, 6],
      [7],
      [4, 9, 10],
      [5],
      [10],
      [1, 3, 4, 5],
      [6, 8],
      [9],
      [4, 5, 6, 8],
      [4],
      [0, 10],
      [2, 5, 7, 10],
      [4],
      [0, 2, 4, 6, 7, 10],
      [9],
      [1],
      [3, 6],
      [3, 8],
      [1, 2, 6, 9],
      [0, 2, 4, 5, 6, 7, 9],
      [0, 4],
      [9],
    ])
  })
})

describe('uniform resources', () => {
  it('are written in one part', () => {
    expect(encodeUr('bytes', message(50), 1_000)).toEqual([
      'ur:bytes/hdeymejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtgwdpfnsboxgwlbaawzuefywkdplrsrjynbvygabwjldapfcsdwkbrkch',
    ])
  })

  it('are written in several parts, and in mixed ones after them', () => {
    const parts = encodeUr('bytes', message(256), 30, 20)
    expect(parts).toEqual([
      'ur:bytes/1-9/lpadascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtdkgslpgh',
      'ur:bytes/2-9/lpaoascfadaxcywenbpljkhdcagwdpfnsboxgwlbaawzuefywkdplrsrjynbvygabwjldapfcsgmghhkhstlrdcxaefz',
      'ur:bytes/3-9/lpaxascfadaxcywenbpljkhdcahelbknlkuejnbadmssfhfrdpsbiegecpasvssovlgeykssjykklronvsjksopdzmol',
      'ur:bytes/4-9/lpaaascfadaxcywenbpljkhdcasotkhemthydawydtaxneurlkosgwcekonertkbrlwmplssjtammdplolsbrdzcrtas',
      'ur:bytes/5-9/lpahascfadaxcywenbpljkhdcatbbdfmssrkzmcwnezelennjpfzbgmuktrhtejscktelgfpdlrkfyfwdajldejokbwf',
      'ur:bytes/6-9/lpamascfadaxcywenbpljkhdcackjlhkhybssklbwefectpfnbbectrljectpavyrolkzczcpkmwidmwoxkilghdsowp',
      'ur:bytes/7-9/lpatascfadaxcywenbpljkhdcavszmwnjkwtclrtvaynhpahrtoxmwvwatmedibkaegdosftvandiodagdhthtrlnnhy',
      'ur:bytes/8-9/lpayascfadaxcywenbpljkhdcadmsponkkbbhgsoltjntegepmttmoonftnbuoiyrehfrtsabzsttorodklubbuyaetk',
      'ur:bytes/9-9/lpasascfadaxcywenbpljkhdcajskecpmdckihdyhphfotjojtfmlnwmadspaxrkytbztpbauotbgtgtaeaevtgavtny',
      'ur:bytes/10-9/lpbkascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtwdkiplzs',
      'ur:bytes/11-9/lpbdascfadaxcywenbpljkhdcahelbknlkuejnbadmssfhfrdpsbiegecpasvssovlgeykssjykklronvsjkvetiiapk',
      'ur:bytes/12-9/lpbnascfadaxcywenbpljkhdcarllaluzmdmgstospeyiefmwejlwtpedamktksrvlcygmzemovovllarodtmtbnptrs',
      'ur:bytes/13-9/lpbtascfadaxcywenbpljkhdcamtkgtpknghchchyketwsvwgwfdhpgmgtylctotzopdrpayoschcmhplffziachrfgd',
      'ur:bytes/14-9/lpbaascfadaxcywenbpljkhdcapazewnvonnvdnsbyleynwtnsjkjndeoldydkbkdslgjkbbkortbelomueekgvstegt',
      'ur:bytes/15-9/lpbsascfadaxcywenbpljkhdcaynmhpddpzmversbdqdfyrehnqzlugmjzmnmtwmrouohtstgsbsahpawkditkckynwt',
      'ur:bytes/16-9/lpbeascfadaxcywenbpljkhdcawygekobamwtlihsnpalnsghenskkiynthdzotsimtojetprsttmukirlrsbtamjtpd',
      'ur:bytes/17-9/lpbyascfadaxcywenbpljkhdcamklgftaxykpewyrtqzhydntpnytyisincxmhtbceaykolduortotiaiaiafhiaoyce',
      'ur:bytes/18-9/lpbgascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtntwkbkwy',
      'ur:bytes/19-9/lpbwascfadaxcywenbpljkhdcadekicpaajootjzpsdrbalpeywllbdsnbinaerkurspbncxgslgftvtsrjtksplcpeo',
      'ur:bytes/20-9/lpbbascfadaxcywenbpljkhdcayapmrleeleaxpasfrtrdkncffwjyjzgyetdmlewtkpktgllepfrltataztksmhkbot',
    ])
    expect(encodeUr('bytes', message(256), 30)).toEqual(parts.slice(0, 9))
  })

  it('are read from parts in any order, with repetitions', () => {
    const parts = encodeUr('bytes', message(256), 30)
    fc.assert(
      fc.property(fc.shuffledSubarray([...parts, ...parts], { minLength: 18 }), (scanned) => {
        const reader = new UrReader()
        for (const part of scanned) reader.receive(part)
        expect(reader.result).toEqual({ type: 'bytes', message: message(256) })
        expect(reader.progress).toEqual({ have: 9, need: 9 })
      }),
      { numRuns: 20 },
    )
  })

  it('are read from mixed parts alone: 32,767 bytes from the hundredth part on', () => {
    const parts = encodeUr('bytes', message(32_767), 1_000, 400).slice(100)
    const reader = new UrReader()
    let read = 0
    while (reader.result === null && read < parts.length) reader.receive(parts[read++] ?? '')
    expect(reader.result).toEqual({ type: 'bytes', message: message(32_767) })
    expect(read).toBeLessThan(120)
  })

  it('say how far the reader is', () => {
    const reader = new UrReader()
    expect(reader.progress).toEqual({ have: 0, need: 1 })
    const [first = '', second = ''] = encodeUr('bytes', message(256), 30)
    reader.receive(first)
    reader.receive(first)
    expect(reader.progress).toEqual({ have: 1, need: 9 })
    reader.receive(second)
    expect(reader.progress).toEqual({ have: 2, need: 9 })
    expect(reader.result).toBeNull()
  })

  it('are refused when damaged, mixed up or no parts at all', () => {
    const [first = '', second = ''] = encodeUr('bytes', message(256), 30)
    const [other = ''] = encodeUr('bytes', message(255), 30)
    const reader = new UrReader()
    reader.receive(first)
    expect(() => reader.receive(other)).toThrow(expect.objectContaining({ code: 'other_ur' }))
    expect(() => reader.receive(second.replace('bytes', 'seed'))).toThrow(
      expect.objectContaining({ code: 'other_ur' }),
    )
    expect(() => reader.receive(encodeUr('bytes', message(9), 30)[0] ?? '')).toThrow(
      expect.objectContaining({ code: 'other_ur' }),
    )
    expect(() => reader.receive(second.replace('2-9', '3-9'))).toThrow(
      expect.objectContaining({ code: 'bad_ur' }),
    )
    expect(() => reader.receive(second.slice(0, -2))).toThrow(expect.objectContaining({ code: 'bad_ur' }))
    for (const text of [
      '',
      'https://example.com',
      'ur:bytes',
      'ur:bytes/1-9/',
      `ur:bytes/${'ae'.repeat(2_500)}`,
    ]) {
      expect(() => reader.receive(text)).toThrow(expect.objectContaining({ code: 'not_a_ur' }))
    }
    expect(reader.progress).toEqual({ have: 1, need: 9 })
  })

  it('are refused with impossible lengths', () => {
    const part = (...numbers: number[]) => {
      const bytes = [0x85, ...numbers.flatMap(encodeCborUnsigned), ...encodeCborBytes(new Uint8Array(10))]
      return `ur:bytes/${numbers[0]}-${numbers[1]}/${encodeBytewords(Uint8Array.from(bytes))}`
    }
    for (const numbers of [
      [1, 2, 21, 0],
      [1, 2, 10, 0],
      [0, 2, 15, 0],
      [1, 0, 15, 0],
      [1, 2_001, 20_005, 0],
    ]) {
      expect(() => new UrReader().receive(part(...numbers))).toThrow(
        expect.objectContaining({ code: 'bad_ur' }),
      )
    }
    const reader = new UrReader()
    reader.receive(part(1, 2, 15, 0))
    expect(() => reader.receive(part(2, 2, 15, 0))).toThrow('do not fit together')
  })
})

describe('CBOR', () => {
  it('has the shortest form for each number', () => {
    for (const [value, hex] of [
      [0, '00'],
      [23, '17'],
      [24, '1818'],
      [255, '18ff'],
      [256, '190100'],
      [65_535, '19ffff'],
      [65_536, '1a00010000'],
      [0xffffffff, '1affffffff'],
    ] as const) {
      expect(Buffer.from(encodeCborUnsigned(value)).toString('hex')).toBe(hex)
      expect(new CborReader(Buffer.from(hex, 'hex')).unsigned()).toBe(value)
    }
  })

  it('is refused where another kind or more bytes are announced', () => {
    expect(() => new CborReader(Uint8Array.of(0x41)).bytes()).toThrow(
      expect.objectContaining({ code: 'bad_ur' }),
    )
    expect(() => new CborReader(Uint8Array.of(0x41, 0)).unsigned()).toThrow(
      expect.objectContaining({ code: 'bad_ur' }),
    )
    expect(() => new CborReader(Uint8Array.of(0x1b)).unsigned()).toThrow(
      expect.objectContaining({ code: 'bad_ur' }),
    )
    expect(() => new CborReader(new Uint8Array()).arrayLength()).toThrow(
      expect.objectContaining({ code: 'bad_ur' }),
    )
  })
})
