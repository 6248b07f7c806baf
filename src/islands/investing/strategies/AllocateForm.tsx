import { useState } from 'react'
import * as z from 'zod/mini'
import { allocate, allocation } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { formatUsd, parseUsd, toUsd } from '../../../contract/money.ts'
import { CheckboxField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { FilingNotice } from '../../money/requests/FilingNotice.tsx'
import { RiskLine } from '../RiskLine.tsx'
import { Countdown } from './Countdown.tsx'
import { Verdict } from './Verdict.tsx'
import { describeCosts, describeWorstYear, formatPricingTime } from './words.ts'

interface AllocateFormProps {
  strategy: Strategy
  /** Investors who already have units may add less than the minimum. */
  hasUnits: boolean
  /** Changes when the position or its orders change: reload the limits. */
  version: string
  onFiled: () => void
}

const allocateForm = z.extend(allocation, {
  understood: z.literal(true, { error: 'Please confirm that you know what could be lost' }),
})

/** The investor has to confirm the loss that this amount would have made in the worst year of the backtest. */
export function AllocateForm({ strategy, hasUnits, version, onFiled }: AllocateFormProps) {
  const [isLeft, setLeft] = useState(false)
  const limits = useResource(`limits ${version}`, () => call(getLimits))
  const { shell, field, form } = useEndpointForm({
    endpoint: allocate,
    schema: allocateForm,
    defaultValues: { strategy: strategy.slug },
    bodyOf: ({ amount }) => ({ strategy: strategy.slug, amount }),
    beside: { insufficient_funds: 'amount' },
    onFailure: (failure) => {
      // The reload shows that the strategy is suspended.
      if (failure.code === 'strategy_suspended') onFiled()
      else limits.reload()
    },
    onDone: ({ msg }) => {
      toast.success(msg)
      form.reset()
      setLeft(false)
      onFiled()
    },
  })
  const typed = parseUsd(form.watch('amount'))
  const usd = typed === null ? 1000 : toUsd(typed)
  const least = hasUnits ? 1 : strategy.minimum
  const available = limits.state === 'ready' ? limits.data.available : null
  const amount = field('amount')
  return (
    <Panel title={hasUnits ? 'Allocate more' : 'Allocate'}>
      {limits.state === 'ready' && limits.data.frozen && <FilingNotice obstacle="frozen" queue="deposits" />}
      <Form {...shell} submitLabel="Allocate">
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
                At least <Money value={least} />.
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
          onChange={(event) => {
            amount.onChange(event)
            // The confirmation was for the previous amount.
            if (form.getValues('understood')) form.setValue('understood', false)
          }}
          onBlur={() => setLeft(true)}
          error={
            amount.error ??
            (typed === null ? undefined : findAllocationProblem(usd, { least, available, isLeft }))
          }
        />
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
          label={`${describeWorstYear(strategy, usd) ?? 'These rules were not tested.'} I could lose more than that, or all of it.`}
          {...field('understood')}
        />
        <RiskLine />
      </Form>
    </Panel>
  )
}

interface Bounds {
  least: number
  available: number | null
  isLeft: boolean
}

/** Too large an amount is reported while typing; too small a one only after the field lost focus. */
function findAllocationProblem(usd: number, { least, available, isLeft }: Bounds): string | undefined {
  if (available !== null && usd > available) return 'That is more than what is available.'
  return isLeft && usd < least ? `The smallest allocation is ${formatUsd(least)}` : undefined
}
