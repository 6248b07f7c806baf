import { isJump, isNearPrice } from '../market/plausibility.ts'
import { type Bar, isSameBar } from './parse.ts'

/** Whether every stored day was received again with another price: another asset or currency. */
export function isOtherMarket(stored: readonly Bar[], received: readonly Bar[]): boolean {
  const again = stored.flatMap((bar) => {
    const receivedBar = received.find(({ day }) => day === bar.day)
    return receivedBar === undefined ? [] : [isNearPrice(receivedBar.close, bar.close)]
  })
  return again.length > 0 && !again.includes(true)
}

/** The bars up to the first jump from the previous close. A jump counts if the same bar was already received the last time. */
export function takePlausibleBars(
  asset: string,
  bars: readonly Bar[],
  lastClose: number | undefined,
  held: Bar | undefined,
): { readonly plausible: readonly Bar[]; readonly pendingBar?: Bar } {
  let before = lastClose
  for (const [index, bar] of bars.entries()) {
    const isToldAgain = held?.day === bar.day && isSameBar(held, bar)
    if (!isToldAgain && hasJumped(asset, [bar.open, bar.high, bar.low, bar.close], before))
      return { plausible: bars.slice(0, index), pendingBar: bar }
    before = bar.close
  }
  return { plausible: bars }
}

/** Today's bar, unless it jumped. To confirm a jump, the next bar only has to be near it, because the day is not over. */
export function takePlausibleToday(
  asset: string,
  bar: Bar | null,
  lastClose: number | undefined,
  held: Bar | undefined,
): { readonly bar: Bar | null; readonly pendingBar?: Bar } {
  if (bar === null) return { bar: null }
  const { day, open, close } = bar
  const isToldAgain = held?.day === day && isNearPrice(open, held.open) && isNearPrice(close, held.close)
  return isToldAgain || !hasJumped(asset, [open, close], lastClose) ? { bar } : { bar: null, pendingBar: bar }
}

function hasJumped(asset: string, prices: readonly number[], before: number | undefined): boolean {
  return before !== undefined && prices.some((price) => isJump(asset, price, before))
}
