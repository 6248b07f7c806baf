import { formatCents } from '../../src/contract/money.ts'
import type { SimulatedDatabase } from '../simulator/lane/sqlite.ts'
import { playVenue } from '../simulator/venues/play.ts'
import type { Step } from './story.ts'

/** Kraken; odd seeds play Coinbase. */
const SEED = 6

/** A strategy that trades for two investors at a simulated exchange, for two days. */
export async function* playExchange(): AsyncGenerator<Step> {
  const steps: Step[] = []
  const { broken } = await playVenue(SEED, 'none', async (database, nowMs) => {
    const sides = await readSides(database)
    const words = describeChange(steps.at(-1), sides)
    const time = new Date(nowMs).toISOString().slice(0, 16).replace('T', ' ')
    if (words !== null) steps.push({ happened: `${time} UTC: ${words}`, ...sides })
  })
  if (broken !== null) throw new Error(broken)
  yield* steps
}

type Sides = Omit<Step, 'happened'>

/** Null if no side sees anything new. */
function describeChange(before: Sides | undefined, now: Sides): string | null {
  if (before === undefined)
    return 'Two investors have ordered units of a strategy. It sends its orders to the exchange.'
  const isNew = (side: keyof Sides) => before[side].join() !== now[side].join()
  if (isNew('operators'))
    return isNew('books')
      ? 'The exchange has executed the orders. Each trade is booked once.'
      : 'The strategy sends its orders to the exchange.'
  return isNew('books') || isNew('investor')
    ? 'The orders of the investors are settled at the unit price.'
    : null
}

interface Row {
  readonly name: string
  readonly amount: number
  readonly state: string
}

async function readSides({ rows }: SimulatedDatabase): Promise<Sides> {
  const available = await rows<Row>(
    "SELECT owner AS name, balance AS amount FROM accounts WHERE kind = 'available' AND owner IN ('ana', 'ben') ORDER BY owner",
  )
  const positions = await rows<Row>(
    'SELECT investor AS name, units AS amount FROM positions ORDER BY investor',
  )
  const orders = await rows<Row>(
    "SELECT o.side || ' ' || o.asset AS name, v.quantity AS amount, v.state FROM venue_orders v JOIN pool_orders o ON o.id = v.pool_order ORDER BY v.seq",
  )
  const [pool] = await rows<{ cash: number }>('SELECT cash FROM pools')
  const holdings = await rows<Row>(
    'SELECT asset AS name, quantity AS amount FROM pool_holdings ORDER BY asset',
  )
  const balances = await rows<Row>(
    'SELECT asset AS name, quantity AS amount FROM venue_balances ORDER BY asset',
  )
  const list = (items: readonly Row[]) =>
    items.map(({ name, amount }) => `${name} ${amount / 1e8}`).join(', ')
  return {
    investor: available.map(({ name, amount }) => {
      const units = positions.find((position) => position.name === name)?.amount ?? 0
      return `${name}: available ${formatCents(amount)}, ${(units / 1e6).toFixed(2)} units`
    }),
    operators:
      orders.length === 0
        ? ['No orders at the exchange']
        : orders.map(({ name, amount, state }) => `${name} ${amount / 1e8}: ${state}`),
    books: [
      `Pool: cash ${formatCents(Math.round((pool?.cash ?? 0) / 1e4))}, ${list(holdings)}`,
      `Account at the exchange: ${list(balances)}`,
    ],
  }
}
