import type { Filed } from '../../../contract/common.ts'
import { NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { requestWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { coinNamed } from '../deposits/wallets.ts'
import type { Destination } from '../destinations/AddressBook.tsx'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import type { Obstacle } from '../requests/limits.ts'
import { AmountField } from './AmountField.tsx'
import { cryptoWithdrawalForm } from './address.ts'
import { DRAFTS } from './methods.ts'
import { networkNamed } from './networks.ts'
import { ProofDialog } from './ProofDialog.tsx'
import { OUTDATED, useStepUp } from './stepUp.ts'
import { useWalletFields } from './WalletFields.tsx'

interface CryptoFormProps {
  limits: Limits
  obstacle: Obstacle | null
  /** The server refused by what the screen does not know yet. */
  onOutdated: () => void
  wallets: readonly Wallet[]
  onFiled: (filed: Filed, destination?: Destination) => void
}

/** Withdraws to an address of a coin's network. */
export function CryptoForm({ limits, obstacle, wallets, onFiled, onOutdated }: CryptoFormProps) {
  const stepUp = useStepUp()
  const { shell, field, form } = useEndpointForm({
    endpoint: requestWithdrawal,
    schema: cryptoWithdrawalForm,
    draft: DRAFTS.crypto,
    ...stepUp.options,
    onFailure: (failure) => {
      stepUp.meet(failure, form)
      if (OUTDATED.includes(failure.code)) onOutdated()
    },
    onDone: (filed) => {
      const destination = coin && network && { type: coin, network, address: address.trim() }
      stepUp.end(form)
      form.reset()
      wallet.beginAnew()
      onFiled(filed, destination ?? undefined)
    },
  })
  const wallet = useWalletFields({ wallets, field, form })
  const coin = coinNamed(form.watch('type'))
  const network = networkNamed(form.watch('network'))
  const address = String(form.watch('address') ?? '')
  return (
    <>
      <Form
        {...shell}
        formError={stepUp.asked ? null : shell.formError}
        submitLabel="Send Withdrawal Request"
      >
        <AmountField limits={limits} form={form} field={field('amount')} />
        {wallet.fields}
        {stepUp.isIdentityMissing && (
          <FilingNotice refused obstacle={obstacle ?? 'none'} queue="withdrawals" />
        )}
      </Form>
      <ProofDialog
        asked={stepUp.asked}
        amount={String(form.watch('amount') ?? '')}
        destination={
          <>
            <code>{address.trim()}</code>
            {network && `, on the network ${NETWORK_LABELS[network]}`}
          </>
        }
        shell={shell}
        code={field('code')}
        setPasskey={(answer) => form.setValue('passkey', answer)}
        isCodeGiven={() => stepUp.isCodeGiven(form)}
        dropCode={() => form.setValue('code', '')}
        focusCode={() => form.setFocus('code')}
        onClose={() => stepUp.end(form)}
      />
      {wallet.dialog}
    </>
  )
}
