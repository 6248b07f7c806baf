import { listOperatorWallets, type OperatorWallet } from '../../../contract/console/wallets.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { site } from '../../../site.ts'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { OneLine } from '../cases/OneLine.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { Standing } from './Standing.tsx'
import { WalletCase } from './WalletCase.tsx'
import { addressEnds, walletStatus } from './words.ts'

/** /operator/wallets: where investors pay to, and where they once did. */
export function Wallets() {
  return <QueueScreen kind={wallets} />
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'active', label: 'Active' },
  { value: 'retired', label: 'Retired' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorWallet>[] = [
  {
    key: 'coin',
    header: 'Wallet',
    narrow: 'start',
    cell: ({ walletName, network }) => coinOnNetwork(walletName, network),
  },
  {
    key: 'paid',
    header: 'Credited',
    align: 'end',
    narrow: 'end',
    cell: ({ paid }) => <Money value={paid.credited} />,
  },
  {
    key: 'address',
    header: 'Address',
    narrow: 'line',
    cell: ({ address }) => (
      <OneLine>
        <code>{addressEnds(address)}</code>
      </OneLine>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'short-start',
    cell: (wallet) => <Status {...walletStatus(wallet, site.mode === 'live')} />,
  },
  {
    key: 'proof',
    header: 'Our key',
    narrow: 'wide-end',
    cell: ({ proof }) =>
      proof === null ? (
        'Not shown yet'
      ) : (
        <>
          Shown <DateTime at={proof.at} show="date" />
        </>
      ),
  },
]

const wallets: QueueKind<NonNullable<(typeof listOperatorWallets)['query']>, OperatorWallet> = {
  endpoint: listOperatorWallets,
  what: 'wallets',
  one: 'wallet',
  filters,
  columns,
  waits: () => false,
  titleOf: (wallet) => (wallet ? coinOnNetwork(wallet.walletName, wallet.network) : 'Wallet'),
  Case: WalletCase,
  above: Standing,
}
