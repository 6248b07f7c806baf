import { expect, test } from 'vitest'
import { SAMPLE_SDN } from '../../dev/seed/sampleSdn.ts'
import { SdnReader } from './sdnList.ts'

function readInParts(text: string, length: number) {
  const reader = new SdnReader()
  const entries = []
  for (let at = 0; at < text.length; at += length) entries.push(...reader.read(text.slice(at, at + length)))
  return { reader, entries }
}

test('the list is read alike in parts of any length: names, aliases, addresses, programs, birth date, country', () => {
  const whole = readInParts(SAMPLE_SDN, SAMPLE_SDN.length)
  expect(whole.reader).toMatchObject({ publishedOn: '2026-11-20', entries: 3, skipped: 0 })
  expect(whole.entries).toEqual([
    {
      uid: '90001',
      names: ['Vasko Emil SAMPLEROV', "Basil O'SAMPLE"],
      addresses: ['bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
      programs: ['SAMPLE-1', 'SAMPLE-2'],
      born: '01 Apr 1961',
      country: null,
    },
    {
      uid: '90002',
      names: ['SAMPLE SHIPPING & TRADING'],
      addresses: ['0x00000000000000000000000000000000005A3B1E'],
      programs: ['SAMPLE-1'],
      born: null,
      country: null,
    },
    {
      uid: '90003',
      names: ['Maria SAMPLE', 'Yuri PRYKLAD'],
      addresses: [],
      programs: ['SAMPLE-2'],
      born: 'circa 1972',
      country: 'Samplia',
    },
  ])
  for (const length of [1, 7, 100]) {
    const { reader, entries } = readInParts(SAMPLE_SDN, length)
    expect(entries).toEqual(whole.entries)
    expect(reader.publishedOn).toBe('2026-11-20')
  }
})

test('an entry without number, without end, without start or far too long is skipped and stops no other', () => {
  const good = (uid: string) => `<sdnEntry><uid>${uid}</uid><lastName>SAMPLE ${uid}</lastName></sdnEntry>`
  const bad = [
    '<sdnEntry><lastName>NO NUMBER</lastName></sdnEntry>',
    '<sdnEntry><uid>1</uid><lastName>NO END</lastName>',
    '<uid>2</uid><lastName>NO START</lastName></sdnEntry>',
    `<sdnEntry><uid>3</uid><remarks>${'x'.repeat(600_000)}</remarks><lastName>LONG</lastName></sdnEntry>`,
  ]
  for (const text of bad) {
    const { reader, entries } = readInParts(`${good('7')}${text}${good('8')}`, 50_000)
    expect(entries.map(({ uid }) => uid)).toEqual(['7', '8'])
    expect(reader.skipped).toBe(1)
  }
})
