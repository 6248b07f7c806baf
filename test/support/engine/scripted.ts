import type { Strategy } from '../../../engine/strategy.ts'

/** What a scripted strategy says at the close of one bar. What is left out it doesn't write. */
export interface Line {
  readonly weights?: readonly number[]
  readonly stop?: readonly number[]
  readonly takeProfit?: readonly number[]
}

/** A strategy that says what the script has for a bar, and wants nothing where there are no weights in it. */
export function scripted(script: Readonly<Record<number, Line>>, warmUp = 0): Strategy {
  return {
    parameters: {},
    warmUp: () => warmUp,
    start: () => ({
      onClose(bar, _book, intent) {
        const line = script[bar.index]
        if (line?.stop) intent.stop.set(line.stop)
        if (line?.takeProfit) intent.takeProfit.set(line.takeProfit)
        if (!line?.weights) return false
        intent.weights.set(line.weights)
        return true
      },
    }),
  }
}
