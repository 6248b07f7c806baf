import type { ClosedBar, Strategy } from '../../../engine/strategy.ts'

/** A strategy's decision at the close of a bar, with the stops that apply then. */
export interface Said {
  readonly bar: number
  readonly weights: readonly number[] | null
  readonly stop: readonly number[]
}

/**
 * The same strategy with its decisions recorded. It gets each bar as a copy that is overwritten afterwards, so a strategy that
 * keeps an array to read later gets useless values.
 */
export function recorded(strategy: Strategy): { readonly strategy: Strategy; readonly said: Said[] } {
  const said: Said[] = []
  return {
    said,
    strategy: {
      ...strategy,
      start(values, assets) {
        const signals = strategy.start(values, assets)
        return {
          onClose(bar, book, intent) {
            const copy = copyOf(bar)
            const wants = signals.onClose(copy, book, intent)
            spoil(copy)
            said.push({
              bar: bar.index,
              weights: wants ? [...intent.weights] : null,
              stop: [...intent.stop],
            })
            return wants
          },
        }
      },
    },
  }
}

function copyOf(bar: ClosedBar): ClosedBar {
  const { index, time } = bar
  return {
    index,
    time,
    hasBar: bar.hasBar.slice(),
    isSeam: bar.isSeam.slice(),
    hasJoined: bar.hasJoined.slice(),
    open: bar.open.slice(),
    high: bar.high.slice(),
    low: bar.low.slice(),
    close: bar.close.slice(),
    volume: bar.volume.slice(),
  }
}

function spoil(bar: ClosedBar): void {
  for (const column of [bar.open, bar.high, bar.low, bar.close, bar.volume]) column.fill(Number.NaN)
}
