import { useEffect, useEffectEvent, useState } from 'react'
import * as z from 'zod/mini'
import { CHAIN_LABELS, formatCoinOnNetwork } from '../../../contract/console/coinWords.ts'
import {
  buildPayout,
  getPayout,
  listPayouts,
  MOST_WITHDRAWALS,
  type PayoutRow,
} from '../../../contract/console/payouts.ts'
import { listWithdrawals, type OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { isolate } from '../../../contract/isolate.ts'
import { CHAINS, type Chain } from '../../../contract/money/payments.ts'
import { formatUsd, toCents } from '../../../contract/money.ts'
import { sum } from '../../../contract/numbers.ts'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { CheckboxField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { CaseLoading } from '../cases/Case.tsx'
import { CancelButton } from '../cases/ConfirmedForm.tsx'
import type { NewRowProps } from '../cases/queueKind.ts'
import { FeeChoice } from './FeeChoice.tsx'
import styles from './Payouts.module.css'
import { isPaidOn } from './words.ts'

/** Chooses approved withdrawals of one chain and a fee. Sends no money: the payout is signed and released afterwards. */
export function BuildPayout(props: NewRowProps<PayoutRow>) {
  const payable = useResource('payable withdrawals', loadPayable)
  return (
    <Loaded resource={payable} waiting={<CaseLoading what="withdrawals" />}>
      {(withdrawals) => {
        const chains = CHAINS.filter((chain) => withdrawals.some((withdrawal) => isPaidOn(chain, withdrawal)))
        return chains.length === 0 ? (
          <EmptyState title="No withdrawal can be paid now">
            Approve withdrawals of a proved network first. Delayed ones can be paid after their delay.
          </EmptyState>
        ) : (
          <BuildForm {...props} chains={chains} withdrawals={withdrawals} />
        )
      }}
    </Loaded>
  )
}

/** Approved withdrawals, oldest first, without those that an open payout pays already. */
async function loadPayable(): Promise<OperatorWithdrawal[]> {
  const [withdrawals, ...open] = await Promise.all([
    call(listWithdrawals, { query: { status: 'approved', hold: 'payable', order: 'oldest', limit: '100' } }),
    call(listPayouts, { query: { state: 'built', limit: '100' } }),
    call(listPayouts, { query: { state: 'released', limit: '100' } }),
  ])
  const payouts = await Promise.all(open.flat().map(({ _id }) => call(getPayout, { params: { id: _id } })))
  const taken = new Set(payouts.flatMap(({ items }) => items.map(({ _id }) => _id)))
  return withdrawals.filter(({ _id }) => !taken.has(_id))
}

interface BuildFormProps extends NewRowProps<PayoutRow> {
  chains: readonly Chain[]
  withdrawals: readonly OperatorWithdrawal[]
}

const schema = z.object({
  chain: z.enum(CHAINS, { error: 'Please choose a chain' }),
  fee: z.string({ error: 'Please choose a fee' }).check(z.minLength(1, 'Please choose a fee')),
  /** Not sent: reports an empty selection. */
  withdrawals: z
    .string({ error: 'Please choose at least one withdrawal' })
    .check(z.minLength(1, 'Please choose at least one withdrawal')),
})

function BuildForm({ chains, withdrawals, queue, onDone, onCancel }: BuildFormProps) {
  const [chosen, choose] = useState<readonly string[]>([])
  const { shell, field, form } = useEndpointForm({
    endpoint: buildPayout,
    schema,
    defaultValues: { chain: chains[0] },
    bodyOf: ({ chain, fee }) => ({ chain, withdrawals: [...chosen], fee: Number(fee) }),
    failures: 'form',
    onDone: (payout) => {
      onDone()
      queue.open(payout)
    },
  })
  const chain = chains.find((candidate) => candidate === form.watch('chain')) ?? 'bitcoin'
  const offered = withdrawals.filter((withdrawal) => isPaidOn(chain, withdrawal))
  const most = chain === 'bitcoin' ? MOST_WITHDRAWALS : 1
  const paid = offered.filter(({ _id }) => chosen.includes(_id))
  const keep = useEffectEvent((ids: readonly string[]) => {
    choose(ids)
    form.setValue('withdrawals', ids.join(' '))
  })
  // The withdrawals of another chain cannot be in the same transaction.
  useEffect(() => {
    void chain
    keep([])
  }, [chain])
  const toggle = (id: string, isOn: boolean) => {
    const others = most === 1 ? [] : chosen.filter((chosenId) => chosenId !== id)
    keep(isOn ? [...others, id] : others)
  }
  const error = field('withdrawals').error
  return (
    <Form
      {...shell}
      submitLabel="Build the payout"
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      {chains.length > 1 && (
        <RadioGroup
          label="Chain"
          options={chains.map((value) => ({ value, label: CHAIN_LABELS[value] }))}
          {...field('chain')}
        />
      )}
      <fieldset className={styles.choices}>
        <legend>{most === 1 ? 'Withdrawal' : `Withdrawals, at most ${most}`}</legend>
        {offered.map((withdrawal, place) => {
          const { _id, ref, investor, amount, address, type, network } = withdrawal
          const isOn = chosen.includes(_id)
          return (
            <CheckboxField
              key={_id}
              label={`${formatUsd(amount)} to ${isolate(investor.name)}, ${ref}`}
              hint={
                <span>
                  {formatCoinOnNetwork(type ?? '', network ?? '')}, <code translate="no">{address}</code>
                </span>
              }
              checked={isOn}
              disabled={!isOn && most > 1 && chosen.length >= most}
              error={place === 0 ? error : undefined}
              onChange={({ target }) => toggle(_id, target.checked)}
            />
          )
        })}
      </fieldset>
      <FeeChoice key={chain} chain={chain} chosen={paid} field={field('fee')} />
      {paid.length > 0 && (
        <p>
          It pays <strong>{formatUsd(sumWithdrawals(paid))}</strong>, in coins at the price when it is built.
          Nothing is sent before the keys of the wallet have signed.
        </p>
      )}
    </Form>
  )
}

/** Dollars are exact to the cent, their sum as floating-point numbers is not. */
function sumWithdrawals(withdrawals: readonly Pick<OperatorWithdrawal, 'amount'>[]): number {
  return sum(withdrawals.map(({ amount }) => toCents(amount))) / 100
}
