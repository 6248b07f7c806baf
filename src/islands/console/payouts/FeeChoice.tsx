import { getPayoutFees, type PayoutFees } from '../../../contract/console/payouts.ts'
import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import type { Chain } from '../../../contract/money/payments.ts'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { describeFeeEstimate, SPEED_LABELS, waitWords } from './words.ts'

interface FeeChoiceProps {
  chain: Chain
  /** The payout's withdrawals, to estimate its cost. */
  chosen: readonly Pick<OperatorWithdrawal, 'network'>[]
  field: FieldAttributes
}

/** Slow, normal or fast, with cost and duration. The value is the fee in the chain's unit. */
export function FeeChoice({ chain, chosen, field }: FeeChoiceProps) {
  const fees = useResource(`fees ${chain}`, () => call(getPayoutFees, { query: { chain } }))
  return (
    <Loaded
      resource={fees}
      waiting={
        <Waiting label="Loading the fees">
          <Skeleton height="control" />
        </Waiting>
      }
    >
      {(loaded) => (
        <RadioGroup
          label="Network fee"
          hint="The company pays it. The exact fee is shown before anybody signs."
          options={sortByFee(loaded).map(({ speed, fee, minutes }) => ({
            value: String(fee),
            label: `${SPEED_LABELS[speed]}, first block ${waitWords(minutes)}`,
            hint: describeFeeEstimate(loaded, fee, chosen),
          }))}
          {...field}
        />
      )}
    </Loaded>
  )
}

/** On a quiet network several speeds cost the same. Then the fastest of them is offered. */
function sortByFee({ choices }: PayoutFees): PayoutFees['choices'] {
  const fastest = new Map(
    choices.toSorted((a, b) => b.minutes - a.minutes).map((choice) => [choice.fee, choice]),
  )
  return [...fastest.values()].toSorted((a, b) => a.fee - b.fee)
}
