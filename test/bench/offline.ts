import { setRuntime } from '../../worker/lib/runtime.ts'
import { chanceOf } from '../simulator/lane/chance.ts'
import { drawFaults } from '../simulator/lane/faults.ts'
import { openPrices } from '../simulator/lane/prices.ts'

/** The base address of the provider of prices. */
export const PRICES = 'https://prices.evenkeel.test'

/** Gives the Worker a clock, and answers for the provider of prices, which is the only other server. */
export function offline(now: () => number): void {
  const prices = openPrices(drawFaults('none'))
  const chance = chanceOf('prices')
  setRuntime({
    now,
    fetch: async (address) => {
      if (!address.startsWith(PRICES)) throw new TypeError(`No server answers ${address}`)
      return prices(address, now(), chance)
    },
  })
}
