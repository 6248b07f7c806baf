import type { Strategy } from '../../../engine/strategy.ts'

/** A scripted strategy's decision at the close of one bar. It does not write missing fields. */
export interface Line {
  readonly weights?: readonly number[]
  readonly stop?: readonly number[]
  readonly takeProfit?: readonly number[]
}

/** A strategy that follows a script by bar, and does not trade if the bar has no weights. */
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
