import * as z from 'zod/mini'
import { allocate, allocation } from '../../contract/allocate.ts'
import { getLimits } from '../../contract/limits.ts'
import { parseUsd, usdOf } from '../../contract/money.ts'
import type { Strategy } from '../../contract/strategies.ts'
import { CheckboxField } from '../../design/CheckboxField.tsx'
import { Form } from '../../design/Form.tsx'
import { Money } from '../../design/Money.tsx'
import { MoneyField } from '../../design/MoneyField.tsx'
import { Panel } from '../../design/Panel.tsx'
import { RiskLine } from '../../design/RiskLine.tsx'
import { toast } from '../../design/toasts.ts'
import { call } from '../lib/api.ts'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { useResource } from '../lib/resource.ts'
import { costWords, lossWords, pricedWords } from './words.ts'

interface AllocateFormProps {
  strategy: Strategy
  /** Who has units already may add less than the minimum. */
  isIn: boolean
  /** Changes with what the investor has in it or has ordered: what is available is another sum then. */
  version: string
  onFiled: () => void
}

const allocateForm = z.extend(allocation, {
  understood: z.literal(true, { error: 'Please confirm that you know what could be lost' }),
})

/** Puts money into a strategy: what the worst year of its test would have done with just this amount is confirmed first. */
export function AllocateForm({ strategy, isIn, version, onFiled }: AllocateFormProps) {
  const limits = useResource(`limits ${version}`, () => call(getLimits))
  const { shell, field, form } = useEndpointForm({
    endpoint: allocate,
    schema: allocateForm,
    defaultValues: { strategy: strategy.slug },
    bodyOf: ({ amount }) => ({ strategy: strategy.slug, amount }),
    explained: ['insufficient_funds'],
    onFailure: (failure) => {
      if (failure.code === 'insufficient_funds') form.setError('amount', { message: failure.msg })
    },
    onDone: ({ msg }) => {
      toast.success(msg)
      form.reset()
      onFiled()
    },
  })
  const typed = parseUsd(form.watch('amount'))
  const amount = typed === null ? 1000 : usdOf(typed)
  const least = isIn ? 1 : strategy.minimum
  return (
    <Panel title={isIn ? 'Allocate more' : 'Allocate'}>
      <Form {...shell} submitLabel="Allocate">
        <MoneyField
          label="Amount in USD"
          hint={
            <>
              {limits.state === 'ready' && (
                <>
                  Available: <Money value={limits.data.available} />.{' '}
                </>
              )}
              At least <Money value={least} />.
            </>
          }
          {...field('amount')}
        />
        <p className="small soft">
          Priced on {pricedWords(strategy.nextValuation)}. Until then you can cancel it. Trading costs{' '}
          {costWords(strategy)}.
        </p>
        <CheckboxField
          label={`${lossWords(strategy, amount) ?? 'These rules were not tested.'} I could lose more than that, or all of it.`}
          {...field('understood')}
        />
        <RiskLine />
      </Form>
    </Panel>
  )
}
