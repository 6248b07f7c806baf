import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFECTS } from '../simulator/defects.ts'
import { plant } from '../simulator/plant.ts'
import { AREAS, EQUIVALENTS, listAreaMutants } from './areas.ts'
import { listMutants } from './generate.ts'
import { listNeighbours, readModules } from './neighbours.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const SOURCE = `
export function pay(cents: number, fromMs: number, toMs: number) {
  if (cents > 0 && !isClosed) audit(cents)
  const rows = [hold(cents), 5, ...(cents < 9 ? [mail()] : [])]
  return Math.min(cents + 1, sum(fromMs, toMs), \`a\` + 'b')
}
export const due = sql\`SELECT 1 FROM t WHERE a = \${x} AND at >= \${now}\``

describe('the mutants of a source file', () => {
  it('have one change each, and a name of their own', () => {
    const mutants = listMutants('pay.ts', SOURCE)
    expect(mutants.map(({ id, line, change }) => `${line} ${id}: ${change}`)).toMatchInlineSnapshot(`
      [
        "3 pay.ts#pay drop-part 1: cents > 0 && !isClosed → cents > 0",
        "3 pay.ts#pay drop-part 2: cents > 0 && !isClosed → !isClosed",
        "3 pay.ts#pay move-bound 1: > → >=",
        "3 pay.ts#pay drop-statement 1: audit(cents) → ;",
        "4 pay.ts#pay drop-element 1: hold(cents),  → ",
        "4 pay.ts#pay drop-element 2: , ...(cents < 9 ? [mail()] : []) → ",
        "4 pay.ts#pay negate 1: < → >=",
        "4 pay.ts#pay move-bound 2: < → <=",
        "4 pay.ts#pay drop-element 3: mail() → ",
        "5 pay.ts#pay swap-extreme 1: Math.min → Math.max",
        "5 pay.ts#pay swap-sign 1: + → -",
        "5 pay.ts#pay swap-arguments 1: fromMs, toMs → toMs, fromMs",
        "7 pay.ts#due negate-sql 1: = → <>",
        "7 pay.ts#due negate-sql 2: >= → <",
        "7 pay.ts#due move-sql-bound 1: >= → >",
      ]
    `)
  })

  it('exist in every area, can be parsed, and have neighbours that test them', () => {
    const modules = readModules()
    for (const area of AREAS) {
      const mutants = listAreaMutants(area)
      expect(mutants.length, area).toBeGreaterThan(20)
      const one = new Map(mutants.map((mutant) => [mutant.id.replace(/.*#\S+ (\S+) .*/, '$1'), mutant]))
      for (const mutant of one.values())
        expect(stripTypeScriptTypes(mutant.text), mutant.id).not.toBe(read(mutant.file))
      for (const mutant of mutants.slice(0, 1))
        expect(listNeighbours(modules, mutant).length, mutant.id).toBeGreaterThan(0)
    }
  })

  it('that nothing can notice are named with a reason, and exist', () => {
    const files = [...new Set(Object.keys(EQUIVALENTS).map((id) => id.split('#')[0] ?? ''))]
    const ids = files.flatMap((file) => listMutants(file, read(file)).map(({ id }) => id))
    expect(Object.keys(EQUIVALENTS).filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('a neighbour', () => {
  it('is a test of the same folder, or one that imports the file', () => {
    const neighbours = listNeighbours(readModules(), {
      file: 'worker/money/withdrawals/decide.ts',
      scope: 'computeDelayEnd',
    })
    expect(neighbours[0]).toBe('worker/money/withdrawals/decide.test.ts')
    expect(neighbours).toContain('worker/money/withdrawals/delay.worker.test.ts')
    expect(neighbours.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

it('each planted defect has a name of its own, and applies to exactly one place', () => {
  expect(new Set(DEFECTS.map(({ name }) => name)).size).toBe(DEFECTS.length)
  for (const defect of DEFECTS) {
    const text = read(defect.file)
    expect(stripTypeScriptTypes(plant(defect, text)), defect.name).not.toBe(stripTypeScriptTypes(text))
  }
})
