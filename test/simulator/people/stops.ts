import type { Chance } from '../lane/chance.ts'
import type { Investor } from './investor.ts'

/** Sets, changes or ends the stop of a position. Close stops are reached within days. */
export async function keepStops({ client }: Investor, chance: Chance): Promise<void> {
  const { rows } = await client.get('/allocations')
  const [first, ...others] = rows.filter(({ units }) => units > 0)
  if (first === undefined) return
  const path = `/allocations/${chance.pick([first, ...others])._id}/stop`
  if (chance.is(0.2)) await client.send('DELETE', path)
  else await client.send('PUT', path, { json: { percent: chance.pick([1, 2, 3, 5, 10, 20]) } })
}
