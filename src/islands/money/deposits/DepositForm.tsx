import { useEffect, useEffectEvent, useState } from 'react'
import { COIN_LABELS } from '../../../contract/money/coins.ts'
import {
  type AnnouncedDeposit,
  depositForm,
  RECEIPT_MISSING,
  requestDeposit,
} from '../../../contract/money/deposits.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { parseUsd } from '../../../contract/money.ts'
import { Form } from '../../../design/Form.tsx'
import { formatMoney } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { useFileField } from '../../lib/fileField.ts'
import { SampleOffer } from '../../lib/SampleOffer.tsx'
import { isSample } from '../../lib/samples.ts'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import { findAmountProblem, limitWords, type Obstacle } from '../requests/limits.ts'
import { PendingAmount } from '../requests/PendingAmount.tsx'
import styles from './Deposit.module.css'
import { HowToPay } from './HowToPay.tsx'
import { listCoinWallets, listWalletCoins, parseCoin, pickOnly } from './wallets.ts'

interface DepositFormProps {
  wallets: readonly Wallet[]
  /** Null if they could not be loaded. */
  limits: Limits | null
  obstacle: Obstacle | null
  /** The server refused because of a change that this screen has not loaded. */
  onOutdated: () => void
  onFiled: (filed: AnnouncedDeposit, wallet: Wallet | undefined, isPractice: boolean) => void
}

/** Refusals after which the screen has to reload. */
const OUTDATED = ['account_frozen', 'too_many_open']

/**
 * The address to pay to and the receipt appear once coin and amount are known. While a request would be refused, no address is
 * shown, and the way out replaces the submit button. The draft keeps the typed values.
 */
export function DepositForm({ wallets, limits, obstacle, onOutdated, onFiled }: DepositFormProps) {
  const receipt = useFileField('image', RECEIPT_MISSING)
  const [isIdentityMissing, setIdentityMissing] = useState(false)
  // No error while the amount is first typed.
  const [isAmountLeft, setAmountLeft] = useState(false)
  const { shell, field, form } = useEndpointForm({
    endpoint: requestDeposit,
    schema: depositForm,
    draft: 'deposit',
    bodyOf: (values) => ({
      ...values,
      paymentTo: findWallet(values.network)?.address ?? '',
      ...(isSample(receipt.input.value) && { sample: 'true' as const }),
    }),
    // No file error while the field is hidden.
    file: { ...receipt, take: async () => (isReady() ? receipt.take() : null) },
    // The chain proves a payment to an own address.
    needsFile: (): boolean => findWallet(form.getValues('network'))?.own !== true,
    onDone: (filed, { network }) => {
      const wallet = findWallet(network)
      const isPractice = isSample(receipt.input.value)
      form.reset()
      receipt.empty()
      setIdentityMissing(false)
      onFiled(filed, wallet, isPractice)
    },
    explained: ['kyc_required'],
    onFailure: ({ code, fields }) => {
      setIdentityMissing(code === 'kyc_required')
      // An error of `paymentTo` means that the wallet was retired.
      if (OUTDATED.includes(code) || fields?.paymentTo) onOutdated()
    },
  })
  const coin = parseCoin(form.watch('type'))
  const amount = form.watch('amount')
  const network = form.watch('network')
  const choices = listCoinWallets(coin, wallets)

  function findWallet(network: unknown): Wallet | undefined {
    const coin = parseCoin(form.getValues('type'))
    return listCoinWallets(coin, wallets).find((wallet) => wallet.network === network)
  }
  function isReady(): boolean {
    const typed = form.getValues('amount')
    const isAmount = parseUsd(typed) !== null && findAmountProblem(limits, 'deposits', typed) === null
    return parseCoin(form.getValues('type')) !== null && isAmount
  }
  const settleNetwork = useEffectEvent(() => {
    const chosen = form.getValues('network') ?? ''
    const next = pickOnly(choices)?.network ?? ''
    if (chosen === next || findWallet(chosen)) return
    form.setValue('network', next)
    form.clearErrors('network')
  })
  // Networks depend on the coin and the wallets.
  useEffect(() => {
    void coin
    void wallets
    settleNetwork()
  }, [coin, wallets])
  const isOpen = obstacle === null
  const practiceWallets = wallets.filter(({ simulated, own }) => simulated && !own)
  const practiceDeposit = limits?.practiceDeposit
  /** Keeps the typed and chosen values. */
  function fillSample(file: File): void {
    const chosen = findWallet(form.getValues('network'))
    const wallet = practiceWallets.find((practice) => practice === chosen) ?? practiceWallets[0]
    form.setValue('type', wallet?.walletName)
    form.setValue('network', wallet?.network)
    if (!form.getValues('amount')) form.setValue('amount', String(practiceDeposit))
    receipt.input.onChange({ state: 'chosen', file })
  }
  const amountField = field('amount')
  const problem = findAmountProblem(limits, 'deposits', amount)
  const words = limitWords(limits, 'deposits').join(' ')
  return (
    <Form
      {...shell}
      submitLabel={isOpen ? 'Send Deposit Request' : undefined}
      actions={isOpen && <p className={styles.risk}>You could lose all the money you invest.</p>}
    >
      {isOpen && practiceDeposit !== undefined && practiceWallets.length > 0 && (
        <SampleOffer
          sample="receipt"
          pending={shell.pending}
          onLoaded={fillSample}
          title="Try it with simulated money"
        >
          Deposit {formatMoney(practiceDeposit)}, or the amount that you type below. The practice reviewer
          credits it within 20 seconds.
        </SampleOffer>
      )}
      <RadioGroup
        label="Coin"
        options={listWalletCoins(wallets).map((value) => ({ value, label: COIN_LABELS[value] }))}
        {...field('type')}
      />
      <MoneyField
        label="Amount in USD"
        hint={
          (limits?.deposits.pending || words) && (
            <span>
              <PendingAmount limits={limits} queue="deposits" />
              <span>{words}</span>
            </span>
          )
        }
        {...amountField}
        error={amountField.error ?? (isAmountLeft ? (problem ?? undefined) : undefined)}
        // Validate at once, because the rest of the form needs an amount.
        onBlur={() => {
          setAmountLeft(true)
          if (amount) form.trigger('amount')
        }}
      />
      {!isOpen ? (
        <FilingNotice obstacle={obstacle} queue="deposits" prominent />
      ) : coin !== null && isReady() ? (
        <HowToPay
          coin={coin}
          amount={String(amount)}
          choices={choices}
          wallet={findWallet(network)}
          field={field}
          receipt={receipt}
        />
      ) : (
        <p className={styles.next}>Choose coin and amount to see the address.</p>
      )}
      {isOpen && isIdentityMissing && <FilingNotice refused obstacle="none" queue="deposits" />}
    </Form>
  )
}
