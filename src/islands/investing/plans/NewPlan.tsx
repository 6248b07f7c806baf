import { listAllocations, type Position } from '../../../contract/investing/allocations.ts'
import { createPlan, describePlan, type Plan, type PlanKind } from '../../../contract/investing/plans.ts'
import { listStrategies, type Strategy } from '../../../contract/investing/strategies.ts'
import { isolate } from '../../../contract/isolate.ts'
import { listAddresses, type SavedAddress } from '../../../contract/money/destinations.ts'
import { parseUsd, toUsd } from '../../../contract/money.ts'
import { CheckboxField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { setSearchParams } from '../../lib/url.ts'
import { FilingNotice } from '../../money/requests/FilingNotice.tsx'
import { useStepUpForm } from '../../money/withdrawals/stepUp.ts'
import { RiskLine } from '../RiskLine.tsx'
import { describeWorstYear } from '../strategies/words.ts'
import { DepositReminder } from './DepositReminder.tsx'
import { Outlook } from './Outlook.tsx'
import { PlanProof } from './PlanProof.tsx'
import styles from './Plans.module.css'
import {
  AMOUNT_LABELS,
  buildNewPlan,
  getDefaultStart,
  listNestedProblems,
  NEW_PLAN_FORMS,
  toAddressOptions,
} from './planForm.ts'
import { NextDates, ScheduleFields, watchSchedule } from './ScheduleFields.tsx'

const KINDS = [
  { value: 'invest', label: 'Invest an amount', hint: 'Like $100 in a strategy on the 1st of each month' },
  {
    value: 'invest_above',
    label: 'Keep an amount, invest the rest',
    hint: 'Like $500 available, and what is above it in a strategy',
  },
  {
    value: 'withdraw',
    label: 'Withdraw an amount',
    hint: 'Like $200 each month to an address that you saved',
  },
  { value: 'remind', label: 'Remind me to deposit', hint: 'A date in your own calendar' },
] as const

interface NewPlanProps {
  /** The chosen kind, as the address of the page keeps it. */
  kind: string
  /** The slug of the strategy that the reader comes from, or null. */
  from: string | null
  onMade: (plan: Plan) => void
}

export function NewPlan({ kind: named, from, onMade }: NewPlanProps) {
  const kind = KINDS.find(({ value }) => value === named)?.value ?? 'invest'
  const choices = useResource('choices of a plan', async () => {
    const [strategies, addresses, positions] = await Promise.all([
      call(listStrategies),
      call(listAddresses).catch((): SavedAddress[] => []),
      call(listAllocations).catch((): Position[] => []),
    ])
    return {
      strategies: strategies.filter(({ status }) => status === 'active'),
      addresses,
      positions: positions.filter(({ units }) => units > 0),
    }
  })
  return (
    <Panel title="New recurring plan">
      <div className="stack">
        <RadioGroup
          label="What should it do?"
          name="kind"
          options={KINDS}
          value={kind}
          onChange={({ target }) => setSearchParams({ new: target.value })}
        />
        {kind === 'remind' ? (
          <DepositReminder />
        ) : (
          <Loaded
            resource={choices}
            waiting={
              <Waiting label="Loading the form">
                <Skeleton height="control" />
                <Skeleton height="control" />
              </Waiting>
            }
          >
            {(loaded) => <PlanForm from={from} onMade={onMade} {...loaded} kind={kind} />}
          </Loaded>
        )}
      </div>
    </Panel>
  )
}

interface PlanFormProps extends NewPlanProps {
  kind: PlanKind
  strategies: readonly Strategy[]
  addresses: readonly SavedAddress[]
  positions: readonly Position[]
}

/** The same form for each kind, so that typed values outlast a change of the kind. */
function PlanForm({ kind, from, strategies, addresses, positions, onMade }: PlanFormProps) {
  const { shell, field, form, stepUp, missing } = useStepUpForm({
    endpoint: createPlan,
    schema: NEW_PLAN_FORMS[kind],
    defaultValues: { strategy: from ?? '', rhythm: 'monthly', starts: getDefaultStart() },
    draft: `plan ${from ?? ''}`,
    bodyOf: (values) => buildNewPlan(kind, values),
    // `listNestedProblems` sets these errors.
    explained: ['validation_failed'],
    failures: 'form',
    onFailure: ({ fields }) => {
      for (const [name, message] of listNestedProblems(fields)) form.setError(name, { message })
    },
    onDone: ({ msg, plan }) => {
      toast.success(msg)
      onMade(plan)
    },
  })
  const isInvesting = kind !== 'withdraw'
  const cents = parseUsd(String(form.watch('amount') ?? ''))
  const usd = cents === null ? null : toUsd(cents)
  const strategy = strategies.find(({ slug }) => slug === form.watch('strategy'))
  const address = addresses.find(({ _id }) => _id === form.watch('address'))
  const source = isInvesting
    ? undefined
    : positions.find(({ strategy }) => strategy === form.watch('redeemFrom'))
  const schedule = watchSchedule(form)
  const target = isInvesting ? strategy?.name : address && isolate(address.label)
  const does =
    usd === null || target === undefined
      ? null
      : describePlan({ kind, amount: usd, redeemFromName: source?.name ?? null }, target)
  return (
    <>
      <Form {...shell} label="New plan" submitLabel="Make Plan">
        <MoneyField label={AMOUNT_LABELS[kind]} {...field('amount')} />
        {isInvesting ? (
          <SelectField
            key="strategy"
            label="Strategy"
            placeholder="Choose a strategy"
            options={strategies.map(({ slug, name, market }) => ({
              value: slug,
              label: market.real ? `${name} (${market.name})` : name,
            }))}
            {...field('strategy')}
          />
        ) : (
          <SelectField
            key="address"
            label="Saved address"
            placeholder="Choose a saved address"
            options={toAddressOptions(addresses)}
            hint={
              <span>
                You save addresses on <a href="/dashboard/withdrawal">Withdrawal</a>, after a withdrawal to
                them. A plan pays out only to a saved one.
              </span>
            }
            {...field('address')}
          />
        )}
        {!isInvesting && positions.length > 0 && (
          <SelectField
            label="If too little is available"
            optional
            placeholder="Move nothing on that date"
            options={positions.map(({ strategy, name }) => ({
              value: strategy,
              label: `Redeem from ${name}`,
            }))}
            {...field('redeemFrom')}
          />
        )}
        <ScheduleFields field={field} form={form} />
        {schedule !== null && <NextDates schedule={schedule} does={does} />}
        {kind === 'invest' && strategy && schedule && usd !== null && (
          <Outlook strategy={strategy} schedule={schedule} amount={usd} />
        )}
        {kind === 'invest_above' && (
          <p className="small soft">
            On each date we compare what is available with the amount to keep. If there is nothing above it,
            the date moves nothing.
          </p>
        )}
        {kind === 'withdraw' && (
          <p className="small soft">
            <span>
              {source === undefined
                ? 'If less than the amount is available on a date, that date moves nothing.'
                : `If too little is available on a date, we redeem what is missing from ${isolate(source.name)} at the next 00:00 UTC, and request the withdrawal after that. It becomes smaller if the price falls until then, and never larger. If both together do not cover it, the date moves nothing. A redemption can realise a gain or a loss.`}
            </span>{' '}
            An operator decides on each withdrawal. We ask you to confirm the plan.
          </p>
        )}
        {isInvesting && (
          <>
            {strategy && (
              <p className={styles.worst}>
                {describeWorstYear(strategy, usd ?? 1000) ?? 'These rules were not tested.'}
              </p>
            )}
            <CheckboxField
              label="I know that I could lose that much, more than that, or all of it."
              {...field('understood')}
            />
            <RiskLine />
          </>
        )}
        {missing !== null && (
          <FilingNotice refused obstacle={missing === 'address' ? 'address' : 'none'} queue="withdrawals" />
        )}
      </Form>
      <PlanProof
        stepUp={stepUp}
        plan={schedule && usd !== null ? { kind, amount: usd, name: null, ...schedule } : null}
        destination={address ? `${isolate(address.label)} (${address.address})` : ''}
      />
    </>
  )
}
