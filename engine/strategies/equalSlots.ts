import { at } from '../at.ts'
import { type ClosedBar, countJoined, type Intent, type Signals } from '../strategy.ts'

/** Whether to hold an asset after this close. It may set the asset's stop. */
type SlotRule = (bar: ClosedBar, asset: number, isHeld: boolean, intent: Intent) => boolean

/**
 * Signals of a rule that looks at each asset alone. Each asset has an equal slot of the equity. `ruleOf` starts one rule per
 * asset. A rule sees only its asset's bars. Without a bar its last decision stands. A bought asset gets its slot, or its part of
 * the cash if that is less. A sold asset is sold whole. An asset that stays keeps its weight at this close.
 */
export function createEqualSlotSignals(assets: number, ruleOf: () => SlotRule): Signals {
  const rules = Array.from({ length: assets }, ruleOf)
  const shallHold = new Uint8Array(assets)
  return {
    onClose(bar, { weights }, intent) {
      let isChange = false
      let asset = 0
      for (const rule of rules) {
        const isHeld = at(weights, asset) > 0
        let holds = isHeld
        if (bar.hasBar[asset] === 1) holds = rule(bar, asset, isHeld, intent) && bar.hasJoined[asset] === 1
        shallHold[asset] = holds ? 1 : 0
        if (holds !== isHeld) isChange = true
        asset++
      }
      if (isChange) fillSlots(shallHold, weights, intent.weights, countJoined(bar))
      return isChange
    },
  }
}

/**
 * An asset to be bought gets its slot, or its part of the cash if that is less. An asset to be sold is sold whole. One that stays
 * keeps the weight that it has at this close.
 */
function fillSlots(shallHold: Uint8Array, held: Float64Array, weights: Float64Array, slots: number): void {
  const assets = shallHold.length
  let staying = 0
  let entering = 0
  for (let asset = 0; asset < assets; asset++) {
    if (shallHold[asset] === 0) continue
    const weight = at(held, asset)
    if (weight > 0) staying += weight
    else entering++
  }
  const slot = entering === 0 ? 0 : Math.min(1 / slots, Math.max(0, 1 - staying) / entering)
  for (let asset = 0; asset < assets; asset++) {
    const weight = at(held, asset)
    weights[asset] = shallHold[asset] === 0 ? 0 : weight > 0 ? weight : slot
  }
}
