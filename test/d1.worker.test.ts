import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { expectedResults, playCases } from './d1Cases.ts'

it("D1 in workerd does what the simulator's D1 does", async () => {
  expect(await playCases(env.DB)).toEqual(expectedResults())
})
