import { endStop, newStop, type Position, setStop } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Money } from '../../../design/Money.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { StopTest } from './StopTest.tsx'
import { describeDistance } from './words.ts'

interface StopFormProps {
  position: Position
  strategy: Strategy
  onChanged: () => void
}

/** Sets, changes and ends the stop of a position. Its effect on purchases in the test stands before the button. */
export function StopForm({ position, strategy, onChanged }: StopFormProps) {
  const { cost, units, unitPrice, stop } = position
  const params = { id: position._id }
  const averageCost = cost / units
  const { shell, field, form } = useEndpointForm({
    endpoint: setStop,
    params,
    defaultValues: { percent: String(stop?.percent ?? 20) },
    focus: 'percent',
    failures: 'form',
    onDone: ({ msg }) => {
      toast.success(msg)
      onChanged()
    },
  })
  // Also after a refusal: it may have sold a moment ago.
  const end = useAction(() =>
    call(endStop, { params })
      .then(({ msg }) => toast.success(msg))
      .finally(onChanged),
  )
  const typed = newStop.safeParse({ percent: form.watch('percent') ?? '' })
  const percent = typed.success ? typed.data.percent : null
  const price = percent === null ? null : averageCost * (1 - percent / 100)
  return (
    <div className="stack">
      <p>
        Your units cost <Money value={averageCost} /> each on average, with the costs of buying them. A unit
        is worth <Money value={unitPrice} isPublic /> now.
      </p>
      <Form {...shell} submitLabel={stop === null ? 'Set Stop' : 'Change Stop'}>
        <TextField
          label="Percent below your average cost"
          inputMode="numeric"
          hint={
            price === null ? undefined : (
              <span>
                Sells when a unit is worth <Money value={price} /> or less.{' '}
                {describeDistance(price, unitPrice)}
              </span>
            )
          }
          {...field('percent')}
        />
        <ul className="small">
          <li>
            Each day at 00:00 UTC, from the next one on, we compare the unit price with your stop. At the stop
            or below, we place an order to redeem all of it.
          </li>
          <li>
            The order is priced at the next open, a day later at 00:00 UTC. That price may be lower than your
            stop. Until then you can cancel the order. The money stays in your account.
          </li>
          <li>Each purchase changes your average cost, and so the price of the stop.</li>
        </ul>
        {percent !== null && <StopTest strategy={strategy} percent={percent} />}
      </Form>
      {stop !== null && (
        <div className="row">
          <Button busy={end.busy} onClick={end.start}>
            End Stop
          </Button>
        </div>
      )}
    </div>
  )
}
