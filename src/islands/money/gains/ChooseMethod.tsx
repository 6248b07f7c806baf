import { useState } from 'react'
import * as z from 'zod/mini'
import {
  fixGainMethod,
  GAIN_METHOD_WORDS,
  GAIN_METHODS,
  type Gains,
  MOST_HOLDING_DAYS,
} from '../../../contract/money/gains.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { OwnAmount } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { parseChoices } from './choices.ts'

const DAYS = `Please give a number of days from 0 to ${MOST_HOLDING_DAYS}`

const schema = z.object({
  method: z.enum(GAIN_METHODS, { error: 'Please choose a method' }),
  holdingDays: z
    .string({ error: DAYS })
    .check(z.refine((text: string) => /^\d{1,4}$/.test(text) && Number(text) <= MOST_HOLDING_DAYS, DAYS)),
  /** Not sent: shows the server’s message about the chosen lots. */
  choices: z.optional(z.string()),
})

/** Fixes how the sales of a year are matched with purchases, before its first report. */
export function ChooseMethod({ gains, onFixed }: { gains: Gains; onFixed: () => void }) {
  const { year } = gains
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const { shell, field, form } = useEndpointForm({
    endpoint: fixGainMethod,
    schema,
    defaultValues: { method: 'fifo', holdingDays: '365' },
    bodyOf: ({ method, holdingDays }) => ({
      year,
      method,
      holdingDays: Number(holdingDays),
      ...(method === 'chosen' && { choices: parseChoices(chosen) }),
    }),
    failures: 'form',
    onDone: onFixed,
  })
  const isChosen = form.watch('method') === 'chosen'
  const { error, ...choices } = field('choices')
  return (
    <Panel title={`How to calculate ${year}`}>
      <Form {...shell} submitLabel={`Make the report of ${year}`}>
        <p>
          A sale can be matched with your purchases in several ways, and each gives another gain. Countries
          differ in which one they accept. This is not tax advice: ask somebody who knows the rules where you
          pay tax.
        </p>
        <RadioGroup
          label="Method"
          options={GAIN_METHODS.map((value) => ({
            value,
            label: GAIN_METHOD_WORDS[value].label,
            hint: GAIN_METHOD_WORDS[value].does,
          }))}
          {...field('method')}
        />
        {isChosen && (
          <>
            {/* Makes the server’s message about the lots one of this form. */}
            <input type="hidden" {...choices} />
            <ChooseLots gains={gains} chosen={chosen} onChange={setChosen} error={error} />
          </>
        )}
        <TextField
          label="Long after this many days"
          hint="Some countries tax gains differently after a holding period. 365 is a year."
          inputMode="numeric"
          {...field('holdingDays')}
        />
        <Notice tone="caution">
          You cannot change this for {year} afterwards, nor choose for an earlier year. So two reports of one
          year never differ.
        </Notice>
      </Form>
    </Panel>
  )
}

interface ChooseLotsProps {
  gains: Gains
  /** Typed units by `sale lot`. */
  chosen: Readonly<Record<string, string>>
  onChange: (chosen: Readonly<Record<string, string>>) => void
  error: string | undefined
}

/** For each sale, the units that it takes from each earlier purchase of the same strategy. */
function ChooseLots({ gains: { open }, chosen, onChange, error }: ChooseLotsProps) {
  const { sales, lots } = open ?? { sales: [], lots: [] }
  if (sales.length === 0) return <p>Nothing was sold in this year, so there is nothing to choose.</p>
  return (
    <>
      {error !== undefined && (
        <Notice tone="danger" live>
          {error}
        </Notice>
      )}
      {sales.map((sale) => (
        <details key={sale._id} open={sales.length === 1}>
          <summary>
            <OwnAmount>{formatNumber(sale.units, 6)}</OwnAmount> units of <span>{sale.strategy}</span>,{' '}
            <DateTime at={sale.at} show="date" timeZone="UTC" />
          </summary>
          {lots
            .filter(({ strategy, at }) => strategy === sale.strategy && at <= sale.at)
            .map((lot) => {
              const name = `${sale._id} ${lot._id}`
              return (
                <TextField
                  key={lot._id}
                  label={`Units from ${lot.ref ?? 'the purchase'}`}
                  hint={
                    <span>
                      Bought <DateTime at={lot.at} show="date" timeZone="UTC" />,{' '}
                      <span>{formatNumber(lot.units, 6)}</span> units
                    </span>
                  }
                  inputMode="decimal"
                  value={chosen[name] ?? ''}
                  onChange={({ target }) => onChange({ ...chosen, [name]: target.value })}
                />
              )
            })}
        </details>
      ))}
    </>
  )
}
