import { useState } from 'react'
import { changePlan, describePlan, type Plan } from '../../../contract/investing/plans.ts'
import { isolate } from '../../../contract/isolate.ts'
import { listAddresses } from '../../../contract/money/destinations.ts'
import { parseUsd, toUsd } from '../../../contract/money.ts'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { useStepUpForm } from '../../money/withdrawals/stepUp.ts'
import { RiskLine } from '../RiskLine.tsx'
import { PlanProof } from './PlanProof.tsx'
import {
  AMOUNT_LABELS,
  buildChangeForm,
  buildPlanChange,
  listNestedProblems,
  toAddressOptions,
} from './planForm.ts'
import { NextDates, ScheduleFields, watchSchedule } from './ScheduleFields.tsx'
import { getTarget } from './words.ts'

interface ChangePlanProps {
  plan: Plan
  onChanged: (msg: string) => void
}

export function ChangePlan({ plan, onChanged }: ChangePlanProps) {
  const isWithdrawal = plan.kind === 'withdraw'
  const book = useResource(isWithdrawal ? 'saved addresses' : null, () => call(listAddresses))
  const addresses = book.state === 'ready' ? book.data : []
  const [schema] = useState(() => buildChangeForm(plan))
  const { shell, field, form, stepUp } = useStepUpForm({
    endpoint: changePlan,
    params: { id: plan._id },
    schema,
    defaultValues: {
      ...{ amount: plan.amount.toFixed(2), rhythm: plan.rhythm, starts: plan.starts },
      last: plan.day === 31,
    },
    bodyOf: (values) => buildPlanChange(plan, values),
    // `listNestedProblems` sets these errors.
    explained: ['validation_failed'],
    failures: 'form',
    onFailure: ({ fields }) => {
      for (const [name, message] of listNestedProblems(fields)) form.setError(name, { message })
    },
    onDone: ({ msg }) => onChanged(msg),
  })
  const cents = parseUsd(String(form.watch('amount') ?? ''))
  const address = addresses.find(({ _id }) => _id === form.watch('address'))
  const schedule = watchSchedule(form, plan.zone)
  const target = address ? isolate(address.label) : getTarget(plan)
  const does = cents === null ? null : describePlan({ ...plan, amount: toUsd(cents) }, target)
  return (
    <>
      <Form {...shell} label="Change this plan" submitLabel="Save Changes">
        <MoneyField label={AMOUNT_LABELS[plan.kind]} {...field('amount')} />
        {isWithdrawal && (
          <SelectField
            label="Saved address"
            placeholder={`As it is: ${getTarget(plan)}`}
            options={toAddressOptions(addresses)}
            {...field('address')}
          />
        )}
        <ScheduleFields field={field} form={form} />
        {schedule !== null && <NextDates schedule={schedule} does={does} />}
        <p className="small soft">
          A date that is already announced moves at most its announced amount. Another address or schedule
          cancels it.
        </p>
        {!isWithdrawal && <RiskLine brief />}
      </Form>
      <PlanProof
        stepUp={stepUp}
        plan={schedule && cents !== null ? { ...plan, ...schedule, amount: toUsd(cents) } : null}
        destination={address ? `${isolate(address.label)} (${address.address})` : getTarget(plan)}
      />
    </>
  )
}
