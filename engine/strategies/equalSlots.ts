import { at } from '../at.ts'
import type { ClosedBar, Intent, Signals } from '../strategy.ts'

/** Whether an asset is to be held after this close. It may set the asset's stop. */
type SlotRule = (bar: ClosedBar, asset: number, isHeld: boolean, intent: Intent) => boolean

/** Signals of a rule that looks at each asset alone, where each has an equal slot of the equity. `ruleOf` begins one for each asset. */
export function inEqualSlots(assets: number, ruleOf: () => SlotRule): Signals {
  const rules = Array.from({ length: assets }, ruleOf)
  const shallHold = new Uint8Array(assets)
  return {
    onClose(bar, { weights }, intent) {
      let isChange = false
      let asset = 0
      for (const rule of rules) {
        const isHeld = at(weights, asset) > 0
        const holds = rule(bar, asset, isHeld, intent)
        shallHold[asset] = holds ? 1 : 0
        if (holds !== isHeld) isChange = true
        asset++
      }
      if (isChange) fillSlots(shallHold, weights, intent.weights)
      return isChange
    },
  }
}

/**
 * What is to be held and isn't is bought for its slot, or for its part of the cash that is there where that is less; what is held
 * and shall not be is sold whole; what stays keeps the weight that it has at this close.
 */
function fillSlots(shallHold: Uint8Array, held: Float64Array, weights: Float64Array): void {
  const assets = shallHold.length
  let staying = 0
  let entering = 0
  for (let asset = 0; asset < assets; asset++) {
    if (shallHold[asset] === 0) continue
    const weight = at(held, asset)
    if (weight > 0) staying += weight
    else entering++
  }
  const slot = entering === 0 ? 0 : Math.min(1 / assets, Math.max(0, 1 - staying) / entering)
  for (let asset = 0; asset < assets; asset++) {
    const weight = at(held, asset)
    weights[asset] = shallHold[asset] === 0 ? 0 : weight > 0 ? weight : slot
  }
}
