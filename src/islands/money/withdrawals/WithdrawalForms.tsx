import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Filed } from '../../../contract/common.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { requestBankWithdrawal, requestWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Form } from '../../../design/Form.tsx'
import type { Destination } from '../destinations/AddressBook.tsx'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import type { Obstacle } from '../requests/limits.ts'
import { AmountField } from './AmountField.tsx'
import { cryptoWithdrawalForm } from './address.ts'
import { accountWords, BankFields } from './BankFields.tsx'
import { DRAFTS } from './methods.ts'
import { ProofDialog } from './ProofDialog.tsx'
import { type StepUpForm, useStepUpForm } from './stepUp.ts'
import { useWalletFields, WalletWords } from './WalletFields.tsx'

interface WithdrawalFormProps {
  limits: Limits
  obstacle: Obstacle | null
  /** The server refused because of a change that this screen has not loaded. */
  onOutdated: () => void
  onFiled: (filed: Filed, destination?: Destination) => void
}

/** Refusals after which the screen has to load the limits again. */
const OUTDATED = ['account_frozen', 'too_many_open', 'insufficient_funds']

export function BankForm({ limits, obstacle, onFiled, onOutdated }: WithdrawalFormProps) {
  const made = useStepUpForm({
    endpoint: requestBankWithdrawal,
    draft: DRAFTS.bank,
    bodyOf: (values) => ({ ...values, withdrawalMethod: 'bank' }),
    onFailure: ({ code }) => OUTDATED.includes(code) && onOutdated(),
    onDone: (filed) => {
      form.reset()
      onFiled(filed)
    },
  })
  const { field, form } = made
  const typed = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  return (
    <RequestForm made={made} obstacle={obstacle} amount={typed('amount')} destination={accountWords(typed)}>
      <AmountField limits={limits} form={form} field={field('amount')} />
      <BankFields field={field} />
    </RequestForm>
  )
}

export function CryptoForm(props: WithdrawalFormProps & { wallets: readonly Wallet[] }) {
  const { limits, obstacle, wallets, onFiled, onOutdated } = props
  const made = useStepUpForm({
    endpoint: requestWithdrawal,
    schema: cryptoWithdrawalForm,
    draft: DRAFTS.crypto,
    onFailure: ({ code }) => OUTDATED.includes(code) && onOutdated(),
    onDone: (filed) => {
      const destination = coin && network && { type: coin, network, address }
      form.reset()
      wallet.reset()
      onFiled(filed, destination ?? undefined)
    },
  })
  const { field, form } = made
  const wallet = useWalletFields({ wallets, field, form })
  const { coin, network, address } = wallet.typed
  return (
    <>
      <RequestForm
        made={made}
        obstacle={obstacle}
        amount={String(form.watch('amount') ?? '')}
        destination={<WalletWords address={address} network={network} />}
      >
        <AmountField limits={limits} form={form} field={field('amount')} />
        {wallet.fields}
      </RequestForm>
      {wallet.dialog}
    </>
  )
}

interface RequestFormProps {
  made: Omit<StepUpForm<z.ZodMiniType>, 'field' | 'form'>
  obstacle: Obstacle | null
  amount: string
  destination: ReactNode
  children: ReactNode
}

function RequestForm({ made, obstacle, amount, destination, children }: RequestFormProps) {
  return (
    <>
      <Form {...made.shell} submitLabel="Send Withdrawal Request">
        {children}
        {made.isIdentityMissing && <FilingNotice refused obstacle={obstacle ?? 'none'} queue="withdrawals" />}
      </Form>
      <ProofDialog stepUp={made.stepUp} amount={amount} destination={destination} />
    </>
  )
}
