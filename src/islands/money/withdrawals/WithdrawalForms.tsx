import { lazy, type ReactNode, Suspense, useState } from 'react'
import type * as z from 'zod/mini'
import type { FiledRequest } from '../../../contract/common.ts'
import type { Coin } from '../../../contract/money/coins.ts'
import { checkWallet } from '../../../contract/money/destinations.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { requestWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Form } from '../../../design/Form.tsx'
import { call } from '../../lib/api.ts'
import { type Destination, SaveOffer } from '../destinations/AddressBook.tsx'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import type { Obstacle } from '../requests/limits.ts'
import { AmountField, type OtherMoney } from './AmountField.tsx'
import { checkAddress, cryptoWithdrawalForm } from './address.ts'
import { BeforeSending, type DestinationCheck } from './BeforeSending.tsx'
import type { Payee } from './bankAccount.ts'
import { DRAFTS } from './methods.ts'
import { type StepUpForm, useStepUpForm } from './stepUp.ts'
import { useWalletFields, WalletWords } from './WalletFields.tsx'

export interface WithdrawalFormProps {
  limits: Limits
  money: OtherMoney | null
  payee: Payee
  obstacle: Obstacle | null
  /** The server refused because of a change that this screen has not loaded. */
  onOutdated: () => void
  onFiled: (filed: FiledRequest, destination?: Destination) => void
}

/** Loaded when a proof is asked for. */
const ProofDialog = lazy(() =>
  import('./ProofDialog.tsx').then(({ ProofDialog }) => ({ default: ProofDialog })),
)

/** Refusals after which the screen has to load the limits again. */
export const OUTDATED = ['account_frozen', 'too_many_open', 'insufficient_funds']

export function CryptoForm(props: WithdrawalFormProps & { wallets: readonly Wallet[] }) {
  const { limits, money, obstacle, wallets, onFiled, onOutdated } = props
  const [isUnsaved, setUnsaved] = useState(false)
  const made = useStepUpForm({
    endpoint: requestWithdrawal,
    schema: cryptoWithdrawalForm,
    draft: DRAFTS.crypto,
    onFailure: ({ code }) => {
      setUnsaved(code === 'destination_locked')
      if (OUTDATED.includes(code)) onOutdated()
    },
    onDone: (filed) => {
      setUnsaved(false)
      const destination = coin && network && { type: coin, network, address }
      form.reset()
      wallet.reset()
      onFiled(filed, destination ?? undefined)
    },
  })
  const { field, form } = made
  const wallet = useWalletFields({ wallets, field, form })
  const { coin, network, address } = wallet.typed
  const isComplete = checkAddress(network, address).state === 'right'
  const check = coin &&
    network &&
    isComplete && {
      key: `${network} ${address}`,
      check: () => call(checkWallet, { body: { type: coin, network, address }, quiet: true }),
    }
  return (
    <>
      <RequestForm
        made={made}
        obstacle={obstacle}
        coin={coin}
        amount={String(form.watch('amount') ?? '')}
        destination={<WalletWords address={address} network={network} />}
        check={check || null}
      >
        <AmountField limits={limits} money={money} network={network} form={form} field={field('amount')} />
        {wallet.fields}
      </RequestForm>
      {isUnsaved && coin && network && isComplete && (
        <SaveOffer key={address} destination={{ type: coin, network, address }} />
      )}
      {wallet.dialog}
    </>
  )
}

interface RequestFormProps {
  made: Omit<StepUpForm<z.ZodMiniType>, 'field' | 'form'>
  obstacle: Obstacle | null
  coin?: Coin | null
  amount: string
  destination: ReactNode
  check: DestinationCheck | null
  children: ReactNode
}

export function RequestForm(props: RequestFormProps) {
  const { made, obstacle, coin = null, amount, destination, check, children } = props
  return (
    <>
      <Form {...made.shell} submitLabel="Send Withdrawal Request">
        {children}
        <BeforeSending coin={coin} amount={amount} destination={check} />
        {made.missing !== null && (
          <FilingNotice
            refused
            obstacle={made.missing === 'address' ? 'address' : (obstacle ?? 'none')}
            queue="withdrawals"
          />
        )}
      </Form>
      {made.stepUp.request !== null && (
        <Suspense>
          <ProofDialog
            stepUp={made.stepUp}
            subject={{ kind: 'withdrawal', amount, destination, delays: true }}
          />
        </Suspense>
      )}
    </>
  )
}
