import { type Coin, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { FileInput } from '../../../design/FileInput.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { TextField } from '../../../design/TextField.tsx'
import type { FileField } from '../../lib/fileField.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from './HowToPay.module.css'
import { PayTo } from './PayTo.tsx'
import { QuoteLine } from './QuoteLine.tsx'

interface HowToPayProps {
  coin: Coin
  /** USD, as typed. */
  amount: string
  /** The wallets of that coin, one for each network. */
  choices: readonly Wallet[]
  /** Undefined while the network is still to be chosen. */
  wallet: Wallet | undefined
  /** Whether a request sent now would be refused. */
  isRefused: boolean
  field: (name: 'network' | 'txid') => FieldAttributes
  receipt: FileField
}

/** By which network, how much of the coin, where to, and what shows that it was paid. */
export function HowToPay({ coin, amount, choices, wallet, isRefused, field, receipt }: HowToPayProps) {
  return (
    <>
      {choices.length > 1 && (
        <RadioGroup
          label="Network"
          hint="Choose the one that you will pay by. An address of one is no address of another."
          options={choices.map(({ network }) => ({ value: network, label: NETWORK_LABELS[network] }))}
          {...field('network')}
        />
      )}
      <div className={styles.pay}>
        <QuoteLine coin={coin} amount={amount} />
        {wallet && <PayTo wallet={wallet} isRefused={isRefused} />}
      </div>
      <TextField
        label="Transaction ID"
        hint="If you have it: it helps the operator to find your payment."
        optional
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('txid')}
      />
      <FileInput
        label="Receipt"
        hint="One picture that shows your payment, such as a screenshot."
        {...receipt.input}
      />
    </>
  )
}
