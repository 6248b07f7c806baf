import type { ReversalEffect } from '../../../contract/console/proposals.ts'
import { Money } from '../../../design/Money.tsx'

/** Describes the effect of a pending reversal on the books of each account that it changes. */
export function ReversalEffects({ effects }: { effects: readonly ReversalEffect[] }) {
  return effects.map((effect) => (
    <div key={effect.investor._id} className="stack">
      <p>
        <WhatMoves {...effect} />
      </p>
      {effect.redemptions.length > 0 && (
        <>
          <p>These redemptions are filed at once, at the newest prices:</p>
          <ul>
            {effect.redemptions.map(({ strategy, amount, isWhole }) => (
              <li key={strategy._id}>
                {strategy.name}: <Money value={amount} />
                {isWhole && ', the whole position'}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  ))
}

function WhatMoves({ kind, investor, amount, balance, debt, orders }: ReversalEffect) {
  const owes =
    debt > 0 ? (
      <>
        {' '}
        After that <bdi>{investor.name}</bdi> owes us <Money value={debt} />.
      </>
    ) : (
      ' No debt remains.'
    )
  if (kind === 'payout')
    return (
      <>
        <Money value={amount} /> comes back to <bdi>{investor.name}</bdi>. Of this, <Money value={balance} />{' '}
        becomes available and the rest repays a debt.{owes}
      </>
    )
  return (
    <>
      {kind === 'bonus' ? 'The referral bonus of ' : ''}
      <Money value={amount} /> is taken back from <bdi>{investor.name}</bdi>: <Money value={balance} /> from
      the available balance.{owes}
      {orders > 0 && (
        <>
          {' '}
          Orders already filed will repay <Money value={orders} />.
        </>
      )}
    </>
  )
}
