import { useState } from 'react'
import { type OperatorWallet, retireWallet } from '../../../contract/console/wallets.ts'
import { Case, CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { Decide } from '../cases/Decide.tsx'
import { Outcome, type OutcomeWords } from '../cases/Outcome.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { ProveControl } from './ProveControl.tsx'
import { WalletFacts } from './WalletFacts.tsx'

/** One wallet: its address to compare, its history, the proof that we hold its key, and taking it out of use. */
export function WalletCase({ listed, isListLoading, onDecided, ...props }: QueueCaseProps<OperatorWallet>) {
  const [changed, setChanged] = useState<OperatorWallet | null>(null)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const wallet = changed ?? listed
  if (wallet === undefined) return <CaseMissing what="wallet" isListLoading={isListLoading} />
  const take = (row: OperatorWallet) => {
    setChanged(row)
    onDecided(row)
  }
  const end = (words: OutcomeWords) => (row: OperatorWallet) => {
    setOutcome(words)
    take(row)
  }
  const onOvertaken = (text: string) => {
    setOutcome({ tone: 'caution', title: 'Nothing was done', text })
    props.onOvertaken()
  }
  const { checksum, paid } = wallet
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={props.onClose} onNext={undefined} />}
      <Case facts={<WalletFacts wallet={wallet} />} />
      {outcome === null && wallet.active && (
        <Decide
          choices={[
            {
              label: wallet.proof === null ? 'Show that we hold its key' : 'Show it again',
              scope: 'operator:wallets.write',
              closed: checksum.isRight
                ? undefined
                : 'Nobody holds the key of a sample address, so there is nothing to show.',
              panel: (onCancel) => (
                <ProveControl
                  wallet={wallet}
                  onIssued={(challenge) => take({ ...wallet, challenge })}
                  onProved={end({
                    tone: 'success',
                    title: 'Shown',
                    text: 'The signature is by the key of this address, and stays with the wallet.',
                  })}
                  onOvertaken={onOvertaken}
                  onCancel={onCancel}
                />
              ),
            },
            {
              label: 'Retire it',
              scope: 'operator:wallets.write',
              panel: (onCancel) => (
                <ConfirmOnly
                  row={wallet}
                  endpoint={retireWallet}
                  confirmLabel="Retire the wallet"
                  onCancel={onCancel}
                  onOvertaken={onOvertaken}
                  onDecided={end({
                    tone: 'success',
                    title: 'Retired',
                    text: 'No investor is sent to it any more. Its history stays here.',
                  })}
                >
                  <p>
                    From now on no investor is sent to this address for{' '}
                    <strong>{coinOnNetwork(wallet.walletName, wallet.network)}</strong>, and a deposit that
                    names it is refused. Without another wallet, nobody can pay in this way.
                  </p>
                  <p>
                    {paid.waiting === 0
                      ? 'No announced deposit to it waits.'
                      : `${paid.waiting} announced ${paid.waiting === 1 ? 'deposit' : 'deposits'} to it can still be credited.`}{' '}
                    Coins that somebody sends to it later still arrive there: keep its key.
                  </p>
                </ConfirmOnly>
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}
