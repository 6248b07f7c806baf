import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeCommitment,
  computeReturn,
  findFirstBrokenIndex,
  hashDefinition,
  type RecordedValuation,
  recordHash,
  toCanonicalJson,
} from './strategyRecord.ts'

const DEFINITION = { kind: 'sma-trend', values: { slow: 200, fast: 50 }, assets: ['sim-index'] }

describe('a strategy’s record', () => {
  it('is canonical JSON: sorted keys without spaces', () => {
    expect(toCanonicalJson({ b: [1, 0.1, 1e21, -0], a: { é: null, z: 'x"\n' }, c: undefined })).toBe(
      '{"a":{"z":"x\\"\\n","é":null},"b":[1,0.1,1e+21,0]}',
    )
    expect(() => toCanonicalJson({ a: Number.NaN })).toThrow(TypeError)
    expect(() => toCanonicalJson(undefined)).toThrow(TypeError)
  })

  it('has one canonical form for any order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(toCanonicalJson(turned)).toBe(toCanonicalJson(value))
        expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('begins with the SHA-256 of the definition and can be recomputed by anybody', async () => {
    const written = '{"assets":["sim-index"],"kind":"sma-trend","values":{"fast":50,"slow":200}}'
    const first = createHash('sha256').update(written).digest('hex')
    expect(await hashDefinition(DEFINITION)).toBe(first)
    const commitment = 'c'.repeat(64)
    const line = `{"commitment":"${commitment}","day":"2026-01-31","format":2,"kind":"open","previous":"${first}","recordedAt":1769904300000,"return":0.01,"strategy":"slow-trend","unitPrice":101000000,"weights":{"sim-index":999999}}`
    const day = {
      format: 2 as const,
      strategy: 'slow-trend',
      day: '2026-01-31',
      kind: 'open' as const,
      unitPrice: 101_000_000,
      return: computeReturn(100_000_000, 101_000_000),
      weights: { 'sim-index': 999_999 },
      recordedAt: 1_769_904_300_000,
      commitment,
      previous: first,
    }
    expect(await recordHash(day)).toBe(createHash('sha256').update(line).digest('hex'))
  })

  it('commits to private facts with a salt, so that somebody with both can check it', async () => {
    const held = {
      units: 5,
      netValue: 7,
      issuePrice: 2,
      redeemPrice: 1,
      cash: 3,
      holdings: { 'sim-index': 4 },
      flows: [],
    }
    const line = `{"cash":3,"flows":[],"holdings":{"sim-index":4},"issuePrice":2,"netValue":7,"orders":[],"redeemPrice":1,"salt":"s","units":5}`
    const commitment = await computeCommitment('s', { ...held, orders: [] })
    expect(commitment).toBe(createHash('sha256').update(line).digest('hex'))
    expect(await computeCommitment('t', { ...held, orders: [] })).not.toBe(commitment)
    expect(await computeCommitment('s', { ...held, units: 6, orders: [] })).not.toBe(commitment)
  })

  it('has the returns of its prices', async () => {
    const days = await record(3)
    const { hash: _, ...forged } = { ...(days[2] as RecordedValuation), return: 0.25 }
    expect(
      await findFirstBrokenIndex(DEFINITION, days.with(2, { ...forged, hash: await recordHash(forged) })),
    ).toBe(2)
  })

  it('names the first day that was changed, omitted or inserted later', async () => {
    const days = await record(5)
    expect(await findFirstBrokenIndex(DEFINITION, days)).toBeNull()
    expect(await findFirstBrokenIndex({ ...DEFINITION, assets: [] }, days)).toBe(0)
    expect(await findFirstBrokenIndex(DEFINITION, days.toSpliced(2, 1))).toBe(2)
    for (const change of [
      { unitPrice: 1 },
      { recordedAt: 1 },
      { weights: {} },
      { day: '2027-01-01' },
      { commitment: 'x' },
      { return: 0.5 },
    ]) {
      expect(
        await findFirstBrokenIndex(DEFINITION, days.with(3, { ...days[3], ...change } as RecordedValuation)),
      ).toBe(3)
    }
  })
})

async function record(count: number): Promise<RecordedValuation[]> {
  const days: RecordedValuation[] = []
  for (let n = 1; n <= count; n++) {
    const day = {
      format: 2 as const,
      strategy: 'slow-trend',
      day: `2026-01-0${n}`,
      kind: 'close' as const,
      unitPrice: 100_000_000 + n,
      return: computeReturn(days.at(-1)?.unitPrice ?? 100_000_000, 100_000_000 + n),
      weights: { 'sim-index': 10 * n },
      recordedAt: n,
      commitment: String(n),
      previous: days.at(-1)?.hash ?? (await hashDefinition(DEFINITION)),
    }
    days.push({ ...day, hash: await recordHash(day) })
  }
  return days
}
