import type { Bucket } from '../../../scripts/backup/bucket.ts'
import { credited, deposit } from './money.ts'
import type { Values, Writer } from './writer.ts'

/** Dan's money goes into a strategy and back. Each step is a day after the previous one, so the next open prices each order. */
export async function invested(db: Writer, bucket: Bucket) {
  await deposit(db, bucket, 'dep-dan', 'dan', 100_000)
  credited(db, 'dep-dan', 'dan', 100_000)
  const of = { investor: 'dan', strategy: 'slow' }
  db.insert('strategies', {
    slug: 'slow',
    definition: '{"assets":["sim-index"]}',
    hash: 'definition',
    market: 'simulated',
    minimum: 1000,
    started_at: db.now(),
  })
  let previous = 'definition'
  const value = (kind: string, price: number, units: number, day: number, recordedAt: number) => {
    const ends: Values = kind === 'open' ? { issue_price: price, redeem_price: price } : {}
    const worth = { units, net_value: (price * units) / 1e6, weights: '{}' }
    const link = { previous, hash: `${kind}-${day}` }
    db.insert('valuations', {
      ...{
        strategy: 'slow',
        day,
        kind,
        unit_price: price,
        ...ends,
        ...worth,
        recorded_at: recordedAt,
        price_return: 0,
        salt: '0'.repeat(64),
        details: '{}',
        commitment: '0'.repeat(64),
        follows: 1,
        ...link,
      },
    })
    previous = link.hash
    return day
  }
  const order = (id: string, kind: string, cents: number | null, onward: string | null = null) =>
    db.insert('unit_orders', { id, ref: `REF-${id}`, ...of, kind, cents, created_at: db.now(), onward })
  const move = (ref: string, code: string, day: number, moved: Values) =>
    db.insert('unit_movements', { id: `${ref}:units`, ref, ...of, code, day, at: day, ...moved })
  const trade = (side: string, day: number, cash: number, price: number) => {
    const id = `${side}-${day}`
    const traded = { asset: 'sim-index', side, quantity: 100_000_000 }
    db.insert('pool_orders', { id, strategy: 'slow', day, ...traded, at: day, seen_price: price })
    const costs = { fee: 750_000, slippage: 300_000 }
    db.insert('pool_fills', { id, pool_order: id, quantity: 100_000_000, price, ...costs, cash, at: day })
  }
  const done = (day: number) => db.insert('pool_steps', { strategy: 'slow', day, at: day })

  order('alc-1', 'allocate', 50_000)
  order('alc-2', 'allocate', 20_000)
  db.run(
    "UPDATE unit_orders SET status = 'cancelled', decided_by = 'dan', decided_at = created_at + 60000 WHERE id = 'alc-2'",
  )
  const first = db.now()
  value('open', 100_000_000, 0, first, first)
  move('alc-1', 'issue', first, {
    ...{ units: 5_000_000, price: 100_000_000, cents: 50_000, cost: 50_000, high_water: 100_000_000 },
  })
  trade('buy', first, -300_750_000, 300)
  done(first)
  value('close', 102_000_000, 5_000_000, first, db.now())
  order('rdm-1', 'redeem', 10_000)
  const second = db.now()
  value('open', 104_000_000, 5_000_000, second, second)
  move('rdm-1', 'redeem', second, {
    ...{ units: -961_539, price: 104_000_000, cents: 10_000, cost: 9_615, high_water: 100_000_000 },
  })
  move('fee-1', 'fee', second, {
    ...{ units: -1_000, price: 104_000_000, cents: 10, cost: 10, high_water: 104_000_000 },
  })
  done(second)
  order('rdm-2', 'redeem', null, '{"way":"bank","fields":{"accountNumber":"1"}}')
  const third = db.now()
  value('open', 90_000_000, 4_037_461, third, third)
  trade('sell', third, 269_325_000, 270)
  move('rdm-2', 'redeem', third, {
    ...{ units: -4_037_461, price: 90_000_000, cents: 36_337, cost: 40_375, high_water: 104_000_000 },
  })
  done(third)
  order('alc-3', 'allocate', 1_500)
  const reason = 'Below the band'
  db.insert('strategy_events', {
    strategy: 'slow',
    at: db.now(),
    kind: 'suspended',
    reason,
    actor: 'system',
  })
}
