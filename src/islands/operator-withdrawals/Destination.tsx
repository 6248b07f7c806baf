import type { BankDetails, OperatorWithdrawal } from '../../contract/operator/withdrawals.ts'
import { Copied } from '../../design/Copied.tsx'
import { type Fact, Facts } from '../../design/Facts.tsx'
import styles from './Destination.module.css'
import { methodOf } from './words.ts'

interface DestinationProps {
  withdrawal: Pick<OperatorWithdrawal, 'type' | 'network' | 'address' | 'bank'>
}

/** Where the money goes, in full: this is what is paid to. */
export function Destination({ withdrawal }: DestinationProps) {
  const { address, bank } = withdrawal
  return (
    <section aria-label="Destination">
      <h3 className={styles.title}>Where it goes</h3>
      <Facts
        facts={[
          bank === null && { label: 'Coin', value: methodOf(withdrawal) },
          address !== null && {
            label: 'Address',
            value: <Copied text={address} what="withdrawal address" />,
          },
          ...(bank === null ? [] : bankFacts(bank)),
        ]}
      />
    </section>
  )
}

/** The destination in one line, to be read once more before it is decided. */
export function DestinationLine({ withdrawal }: DestinationProps) {
  const { address, bank } = withdrawal
  return (
    <p>
      <span className="soft">{methodOf(withdrawal)}, </span>
      <code>{address ?? bank?.accountNumber}</code>
      {bank && <span className="soft"> of {bank.accountHolderName}</span>}
    </p>
  )
}

function bankFacts(bank: BankDetails): Fact[] {
  return [
    { label: 'Bank', value: bank.bankName },
    { label: 'Branch', value: `${bank.branchName}, code ${bank.branchCode}` },
    { label: 'Account holder', value: bank.accountHolderName },
    { label: 'Account number', value: <Copied text={bank.accountNumber} what="account number" /> },
    { label: 'Account type', value: bank.accountType },
    { label: 'Person', value: `${bank.title} ${bank.firstName} ${bank.surname}, ${bank.occupation}` },
    { label: 'Client number', value: bank.clientNumber },
    { label: 'Investment number', value: bank.investmentNumber },
    { label: 'Product', value: bank.productName },
    { label: 'Withdrawal', value: bank.withdrawalType ?? 'Not said' },
    { label: 'Reason given', value: bank.withdrawalReason },
  ]
}
