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
                <span>{isWhole && ', the whole position'}</span>
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
      <span>
        {' '}
        After that <bdi>{investor.name}</bdi> owes us <Money value={debt} />.
      </span>
    ) : (
      ' No debt remains.'
    )
  if (kind === 'payout')
    return (
      <span>
        <Money value={amount} /> comes back to <bdi>{investor.name}</bdi>. Of this, <Money value={balance} />{' '}
        becomes available and the rest repays a debt.<span>{owes}</span>
      </span>
    )
  return (
    <span>
      <span>{kind === 'bonus' ? 'The referral bonus of ' : ''}</span>
      <Money value={amount} /> is taken back from <bdi>{investor.name}</bdi>: <Money value={balance} /> from
      the available balance.<span>{owes}</span>
      {orders > 0 && (
        <span>
          {' '}
          Orders already filed will repay <Money value={orders} />.
        </span>
      )}
    </span>
  )
}
