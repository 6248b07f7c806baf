import { at } from '../at.ts'
import type { BookView, ClosedBar, Intent, Signals } from '../strategy.ts'

/** Whether an asset is to be held after this close. It may set the asset's stop. */
type SlotRule = (bar: ClosedBar, asset: number, isHeld: boolean, intent: Intent) => boolean

/** Signals of a rule that looks at each asset alone, where each has an equal slot of the equity. `ruleOf` begins one for each asset. */
export function inEqualSlots(assets: number, ruleOf: () => SlotRule): Signals {
  const rules = Array.from({ length: assets }, ruleOf)
  const shallHold = new Uint8Array(assets)
  return {
    onClose(bar, book, intent) {
      let asset = 0
      for (const rule of rules) {
        shallHold[asset] = rule(bar, asset, at(book.weights, asset) > 0, intent) ? 1 : 0
        asset++
      }
      return intoSlots(shallHold, book, intent)
    },
  }
}

/**
 * What is to be held and isn't is bought for its slot, or for its part of the cash that is there where that is less; what is held
 * and shall not be is sold whole; what stays keeps the weight that it has at this close. Answers whether anything changes.
 */
function intoSlots(shallHold: Uint8Array, book: BookView, intent: Intent): boolean {
  const assets = shallHold.length
  let staying = 0
  let entering = 0
  let leaving = 0
  for (let asset = 0; asset < assets; asset++) {
    const weight = at(book.weights, asset)
    if (shallHold[asset] === 0) {
      if (weight > 0) leaving++
    } else if (weight > 0) {
      staying += weight
    } else {
      entering++
    }
  }
  if (entering === 0 && leaving === 0) return false
  const slot = entering === 0 ? 0 : Math.min(1 / assets, Math.max(0, 1 - staying) / entering)
  for (let asset = 0; asset < assets; asset++) {
    const weight = at(book.weights, asset)
    intent.weights[asset] = shallHold[asset] === 0 ? 0 : weight > 0 ? weight : slot
  }
  return true
}
