import type { Position } from '../../contract/allocations.ts'
import { NETWORK_LABELS } from '../../contract/coins.ts'
import { redeem } from '../../contract/redeem.ts'
import type { Strategy } from '../../contract/strategies.ts'
import { listWallets, type Wallet } from '../../contract/wallets.ts'
import { CheckboxField } from '../../design/CheckboxField.tsx'
import { Form } from '../../design/Form.tsx'
import { Money } from '../../design/Money.tsx'
import { MoneyField } from '../../design/MoneyField.tsx'
import { Notice } from '../../design/Notice.tsx'
import { toast } from '../../design/toasts.ts'
import { call } from '../lib/api.ts'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { useResource } from '../lib/resource.ts'
import { networkNamed } from '../withdrawal/networks.ts'
import { ProofStep } from '../withdrawal/ProofStep.tsx'
import { useStepUp } from '../withdrawal/stepUp.ts'
import { useWalletFields } from '../withdrawal/WalletFields.tsx'
import { redeemForm, redemptionOf } from './redeemForm.ts'
import { costWords, pricedWords } from './words.ts'

interface RedeemFormProps {
  position: Position
  strategy: Strategy
  onFiled: () => void
}

/** Gives units back for money, and lets it be withdrawn in the same go. */
export function RedeemForm({ position, strategy, onFiled }: RedeemFormProps) {
  const stepUp = useStepUp()
  const known = useResource('wallets', () => call(listWallets).catch((): Wallet[] => []))
  const { shell, field, form } = useEndpointForm({
    endpoint: redeem,
    params: { id: position._id },
    schema: redeemForm,
    bodyOf: redemptionOf,
    explained: stepUp.options.explained,
    failures: 'form',
    onFailure: (failure) => {
      stepUp.meet(failure, form)
      for (const name of ['type', 'network', 'address'] as const) {
        const message = failure.fields?.[`thenWithdraw.${name}`]
        if (message !== undefined) form.setError(name, { message })
      }
    },
    onDone: ({ msg }) => {
      stepUp.end(form)
      toast.success(msg)
      onFiled()
    },
  })
  const isAll = form.watch('all') === true
  const withdraws = form.watch('withdraws') === true
  const wallets = known.state === 'ready' ? known.data : []
  const wallet = useWalletFields({ wallets, field, form }, withdraws)
  const network = networkNamed(form.watch('network'))
  return (
    <>
      <p>
        Your units are worth <Money value={position.value} /> now. They are priced on{' '}
        {pricedWords(strategy.nextValuation)}, and may bring more or less by then. Until then you can cancel
        it. Trading costs {costWords(strategy)}.
      </p>
      <Form {...shell} formError={stepUp.asked ? null : shell.formError} submitLabel="Redeem">
        <CheckboxField label="All of it" {...field('all')} />
        {!isAll && <MoneyField label="Amount in USD" {...field('amount')} />}
        <CheckboxField
          label="Withdraw it as soon as it is there"
          hint="To a wallet of yours. Without it, the money is available in your account."
          {...field('withdraws')}
        />
        {withdraws && wallet.fields}
        {stepUp.isIdentityMissing && (
          <Notice tone="caution">
            Withdrawing needs an approved identity: <a href="/dashboard/kyc">KYC</a>. Redeeming alone does
            not.
          </Notice>
        )}
      </Form>
      <ProofStep
        asked={stepUp.asked}
        amount={isAll ? position.valued.toFixed(2) : String(form.watch('amount') ?? '')}
        destination={
          <>
            <code>{String(form.watch('address') ?? '').trim()}</code>
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
