import { useState } from 'react'
import * as z from 'zod/mini'
import { allocate, allocation, type OrderFiled } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { formatUsd, parseUsd, toUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { CheckboxField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { FilingNotice } from '../../money/requests/FilingNotice.tsx'
import { RiskLine } from '../RiskLine.tsx'
import { Countdown } from './Countdown.tsx'
import styles from './Strategies.module.css'
import { TestCurve } from './TestCurve.tsx'
import { Verdict } from './Verdict.tsx'
import {
  describeCosts,
  describeWorstYear,
  formatPricingTime,
  formatWholeUsd,
  listAmountChoices,
} from './words.ts'

interface InvestFormProps {
  strategy: Strategy
  /** Investors who already have units may add less than the minimum. */
  hasUnits: boolean
  /** Changes when the position or its orders change: reload the limits. */
  version: string
  /** The published page of its test. */
  testPath: string
  onFiled: (order: OrderFiled, usd: number) => void
  /** The server refused because of a change that this screen has not loaded. */
  onOutdated: () => void
}

const investForm = z.extend(allocation, {
  understood: z.literal(true, { error: 'Please confirm that you know what could be lost' }),
})

/** An amount for the strategy, beside its test and what the worst year of the test made of just this amount. */
export function InvestForm({ strategy, hasUnits, version, testPath, onFiled, onOutdated }: InvestFormProps) {
  const [isLeft, setLeft] = useState(false)
  const limits = useResource(`limits ${version}`, () => call(getLimits))
  const { shell, field, form } = useEndpointForm({
    endpoint: allocate,
    schema: investForm,
    defaultValues: { strategy: strategy.slug },
    bodyOf: ({ amount }) => ({ strategy: strategy.slug, amount }),
    beside: { insufficient_funds: 'amount' },
    onFailure: (failure) => {
      // The reload shows that the strategy is suspended.
      if (failure.code === 'strategy_suspended') onOutdated()
      else limits.reload()
    },
    onDone: (order, { amount }) => {
      form.reset()
      setLeft(false)
      onFiled(order, toUsd(parseUsd(amount) ?? 0))
    },
  })
  const typed = parseUsd(form.watch('amount'))
  const usd = typed === null ? 1000 : toUsd(typed)
  const least = hasUnits ? 1 : strategy.minimum
  const leastLabel = hasUnits ? 'The smallest addition' : 'The smallest investment'
  const available = limits.state === 'ready' ? limits.data.available : null
  const amount = field('amount')
  const worstYear = describeWorstYear(strategy, usd)
  return (
    <Panel
      title={hasUnits ? 'Invest more' : 'Invest'}
      actions={<a href={`/dashboard/plans?new=yes&strategy=${strategy.slug}`}>With a recurring plan</a>}
    >
      <TestCurve strategy={strategy} testPath={testPath} />
      {limits.state === 'ready' && limits.data.frozen && <FilingNotice obstacle="frozen" queue="deposits" />}
      <Form {...shell} submitLabel={typed === null ? 'Invest' : `Invest ${formatWholeUsd(usd)}`}>
        <MoneyField
          label="Amount in USD"
          hint={
            <span>
              {available !== null && (
                <span>
                  Available: <Money value={available} />.{' '}
                </span>
              )}
              <span>
                <span>{leastLabel}</span> is <Money value={least} isPublic />.
              </span>
              {available !== null && available < least && (
                <span>
                  {' '}
                  Please <a href="/dashboard/deposit">deposit</a> first.
                </span>
              )}
            </span>
          }
          {...amount}
          onBlur={() => setLeft(true)}
          error={
            amount.error ??
            (typed === null
              ? undefined
              : findInvestmentProblem(usd, { least, leastLabel, available, isLeft }))
          }
        />
        <div className={styles.choices}>
          {listAmountChoices(least, available).map((choice) => (
            <Button
              key={choice}
              size="small"
              onClick={() => {
                form.setValue('amount', choice.toFixed(2))
                form.clearErrors('amount')
              }}
            >
              {choice === available ? (
                <span>
                  All <Money value={choice} />
                </span>
              ) : (
                formatWholeUsd(choice)
              )}
            </Button>
          ))}
        </div>
        <p className={styles.worst}>{worstYear ?? 'These rules were not tested.'}</p>
        <p className="small soft">
          Priced on {formatPricingTime(strategy.nextValuation)}, in <Countdown at={strategy.nextValuation} />.{' '}
          <span>You can cancel until then. Trading costs {describeCosts(strategy)}.</span>
        </p>
        {strategy.backtest && (
          <p className="small">
            Our checks of the test: <Verdict strategy={strategy} />
          </p>
        )}
        <CheckboxField
          label="I know that I could lose that much, more than that, or all of it."
          {...field('understood')}
        />
        <RiskLine />
      </Form>
    </Panel>
  )
}

interface Bounds {
  least: number
  leastLabel: string
  available: number | null
  isLeft: boolean
}

/** Too large an amount is reported while typing; too small a one only after the field lost focus. */
function findInvestmentProblem(
  usd: number,
  { least, leastLabel, available, isLeft }: Bounds,
): string | undefined {
  if (available !== null && usd > available) return 'That is more than what is available.'
  return isLeft && usd < least ? `${leastLabel} is ${formatUsd(least)}` : undefined
}
