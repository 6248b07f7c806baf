import type { Strategy } from '../../../contract/investing/strategies.ts'
import { count, NONE, percent, signed, usd } from './figures.ts'

const STANDINGS = {
  active: 'Running',
  suspended: 'Suspended: takes no new money, what is in it can be taken out.',
  stopped: 'Stopped for good: takes no new money, what is in it can be taken out.',
} as const

/** What is told of a running strategy, each under its name. */
export function factsOf({ status, since, reason, hash, unitPrice, at, live, startedAt }: Strategy) {
  const { days, totalReturn, maximumDrawdown, band } = live
  return {
    status: reason === null ? STANDINGS[status] : `${STANDINGS[status]} ${reason}`,
    since: status === 'active' ? day(startedAt) : `${day(since)}; started ${day(startedAt)}`,
    fall: maximumDrawdown === null ? NONE : percent(-maximumDrawdown),
    return: totalReturn === null ? NONE : signed(totalReturn),
    price: `${usd(unitPrice)} on ${day(at)}`,
    days: count(days),
    band: band === null ? NONE : `${usd(band.lower)} to ${usd(band.upper)} a unit, 98 of 100 times`,
    hash,
  }
}

function day(iso: string): string {
  return iso.slice(0, 10)
}
