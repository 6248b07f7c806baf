import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenAt, canonicalJson, definitionHash, type Recorded, recordHash } from './strategyRecord.ts'

const DEFINITION = { kind: 'sma-trend', values: { slow: 200, fast: 50 }, assets: ['sim-index'] }

describe('a strategy’s record', () => {
  it('is written as canonical JSON: keys sorted, nothing between them', () => {
    expect(canonicalJson({ b: [1, 0.1, 1e21, -0], a: { é: null, z: 'x"\n' }, c: undefined })).toBe(
      '{"a":{"z":"x\\"\\n","é":null},"b":[1,0.1,1e+21,0]}',
    )
    expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError)
    expect(() => canonicalJson(undefined)).toThrow(TypeError)
  })

  it('has one canonical form, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(turned)).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('begins with the SHA-256 of the definition and can be recomputed by anybody', async () => {
    const written = '{"assets":["sim-index"],"kind":"sma-trend","values":{"fast":50,"slow":200}}'
    const first = createHash('sha256').update(written).digest('hex')
    expect(await definitionHash(DEFINITION)).toBe(first)
    const line = `{"day":"2026-01-31","issuePrice":100200000,"kind":"open","previous":"${first}","recordedAt":1769904300000,"redeemPrice":99800000,"strategy":"slow-trend","unitPrice":100000000,"weights":{"sim-index":999999}}`
    const day = {
      strategy: 'slow-trend',
      day: '2026-01-31',
      kind: 'open' as const,
      unitPrice: 100_000_000,
      issuePrice: 100_200_000,
      redeemPrice: 99_800_000,
      weights: { 'sim-index': 999_999 },
      recordedAt: 1_769_904_300_000,
      previous: first,
    }
    expect(await recordHash(day)).toBe(createHash('sha256').update(line).digest('hex'))
  })

  it('tells the first day that was changed, left out or put in later', async () => {
    const days = await record(5)
    expect(await brokenAt(DEFINITION, days)).toBeNull()
    expect(await brokenAt({ ...DEFINITION, assets: [] }, days)).toBe(0)
    expect(await brokenAt(DEFINITION, days.toSpliced(2, 1))).toBe(2)
    for (const change of [
      { unitPrice: 1 },
      { recordedAt: 1 },
      { weights: {} },
      { day: '2027-01-01' },
      { issuePrice: 1 },
    ]) {
      expect(await brokenAt(DEFINITION, days.with(3, { ...days[3], ...change } as Recorded))).toBe(3)
    }
  })
})

async function record(count: number): Promise<Recorded[]> {
  const days: Recorded[] = []
  for (let n = 1; n <= count; n++) {
    const day = {
      strategy: 'slow-trend',
      day: `2026-01-0${n}`,
      kind: 'close' as const,
      unitPrice: 100_000_000 + n,
      issuePrice: null,
      redeemPrice: null,
      weights: { 'sim-index': 10 * n },
      recordedAt: n,
      previous: days.at(-1)?.hash ?? (await definitionHash(DEFINITION)),
    }
    days.push({ ...day, hash: await recordHash(day) })
  }
  return days
}
