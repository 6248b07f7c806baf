import { type Position, redeem } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { NETWORK_LABELS } from '../../../contract/money/coins.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { listWallets, type Wallet } from '../../../contract/money/wallets.ts'
import { parseUsd } from '../../../contract/money.ts'
import { CheckboxField } from '../../../design/CheckboxField.tsx'
import { Form } from '../../../design/Form.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { toast } from '../../../design/toasts.ts'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useResource } from '../../lib/resource.ts'
import { FilingNotice } from '../../money/requests/FilingNotice.tsx'
import { limitWords, obstacleOf } from '../../money/requests/limits.ts'
import { accountWords, BankFields } from '../../money/withdrawals/BankFields.tsx'
import { METHODS } from '../../money/withdrawals/methods.ts'
import { networkNamed } from '../../money/withdrawals/networks.ts'
import { ProofDialog } from '../../money/withdrawals/ProofDialog.tsx'
import { useStepUp } from '../../money/withdrawals/stepUp.ts'
import { useWalletFields } from '../../money/withdrawals/WalletFields.tsx'
import { leftCents, redeemForm, redemptionOf } from './redeemForm.ts'
import { costWords, pricedWords } from './words.ts'

interface RedeemFormProps {
  position: Position
  strategy: Strategy
  onFiled: () => void
}

/** Gives units back for money, and lets it be withdrawn in the same go. */
export function RedeemForm(props: RedeemFormProps) {
  const { position, strategy } = props
  return (
    <>
      <p>
        Your units are worth <Money value={position.value} /> now. They are priced on{' '}
        {pricedWords(strategy.nextValuation)}, and may bring more or less by then. Until then you can cancel
        it. Trading costs {costWords(strategy)}.
      </p>
      {leftCents(position) > 0 ? (
        <Redemption {...props} />
      ) : (
        <Notice title="All of it is asked back already">
          Cancel an order that is pending, and you can ask for another amount.
        </Notice>
      )}
    </>
  )
}

function Redemption({ position, strategy, onFiled }: RedeemFormProps) {
  const stepUp = useStepUp()
  const known = useResource('wallets', () => call(listWallets).catch((): Wallet[] => []))
  // Where they can't be told, the server refuses by itself.
  const told = useResource('limits', () => call(getLimits).catch(() => null))
  const { shell, field, form } = useEndpointForm({
    endpoint: redeem,
    params: { id: position._id },
    schema: redeemForm,
    defaultValues: { withdrawalMethod: 'crypto' },
    draft: `redeem ${strategy.slug}`,
    bodyOf: redemptionOf,
    // What is wrong with a field is said beside it, by its own name.
    explained: [...stepUp.options.explained, 'validation_failed'],
    failures: 'form',
    onFailure: (failure) => {
      stepUp.meet(failure, form)
      for (const [name, message] of fieldProblems(failure)) form.setError(name, { message })
    },
    onDone: ({ msg }) => {
      stepUp.end(form)
      toast.success(msg)
      onFiled()
    },
  })
  const isAll = form.watch('all') === true
  const withdraws = form.watch('withdraws') === true
  const isBank = form.watch('withdrawalMethod') === 'bank'
  const limits = told.state === 'ready' ? told.data : null
  // That nothing is available now is none: the proceeds will be.
  const obstacle = limits && obstacleOf({ ...limits, available: Number.POSITIVE_INFINITY }, 'withdrawals')
  const wallets = known.state === 'ready' ? known.data : []
  const wallet = useWalletFields({ wallets, field, form }, withdraws && !isBank)
  const typed = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  const network = networkNamed(form.watch('network'))
  const most = leftCents(position)
  const amount = field('amount')
  const isTooMuch = (parseUsd(form.watch('amount')) ?? 0) > most
  const all = field('all')
  return (
    <>
      {obstacle === 'frozen' && <FilingNotice obstacle={obstacle} queue="withdrawals" />}
      <Form {...shell} formError={stepUp.asked ? null : shell.formError} submitLabel="Redeem">
        <CheckboxField
          label="All of it"
          {...all}
          onChange={(event) => {
            form.clearErrors('amount')
            all.onChange(event)
          }}
          // Then there is no other field to say it beside.
          error={isAll ? amount.error : undefined}
        />
        {!isAll && (
          <MoneyField
            label="Amount in USD"
            hint={
              <>
                At most <Money value={most / 100} />.
              </>
            }
            {...amount}
            error={amount.error ?? (isTooMuch ? 'That is more than can be redeemed now.' : undefined)}
          />
        )}
        <CheckboxField
          label="Withdraw it as soon as it is there"
          hint={[
            'To a wallet or a bank account of yours. Without it, or where it can’t be withdrawn then, the money is available in your account.',
            ...(withdraws ? limitWords(limits, 'withdrawals') : []),
          ].join(' ')}
          {...field('withdraws')}
        />
        {withdraws && obstacle && obstacle !== 'frozen' && (
          <FilingNotice obstacle={obstacle} queue="withdrawals" />
        )}
        {withdraws && (
          <RadioGroup label="Withdrawal method" options={METHODS} {...field('withdrawalMethod')} />
        )}
        {withdraws && !isBank && wallet.fields}
        {withdraws && isBank && <BankFields field={field} />}
        {stepUp.isIdentityMissing && (
          <Notice tone="caution">
            Withdrawing needs an approved identity: <a href="/dashboard/kyc">KYC</a>. Redeeming alone does
            not.
          </Notice>
        )}
      </Form>
      <ProofDialog
        asked={stepUp.asked}
        amount={isAll ? position.valued.toFixed(2) : typed('amount')}
        destination={
          isBank ? (
            accountWords(typed)
          ) : (
            <>
              <code>{typed('address').trim()}</code>
              {network && `, on the network ${NETWORK_LABELS[network]}`}
            </>
          )
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

/** What the server has against fields, by the form's own names: those of the withdrawal stand within it. */
function fieldProblems({ fields = {} }: ApiFailure): [name: string, message: string][] {
  return Object.entries(fields).map(([name, message]) => [name.replace('thenWithdraw.', ''), message])
}
