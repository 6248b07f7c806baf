import {
  BOOK_ACCOUNTS,
  listInvestorEntries,
  type OperatorEntry,
} from '../../../contract/console/investorFile.ts'
import { ENTRY_WORDS } from '../../../contract/money/statements.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { useAction } from '../../lib/action.ts'
import { callBlob } from '../../lib/api.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { StatusFilter } from '../cases/QueueView.tsx'
import { useAddress } from '../cases/useAddress.ts'
import type { PartProps } from './InvestorPage.tsx'
import styles from './Investors.module.css'
import { ACCOUNT_WORDS, caseHref } from './words.ts'

/** The investor's entries, with what caused each. */
export function Ledger({ investor }: PartProps) {
  const [wanted, narrow] = useAddress('entries', '')
  const account = BOOK_ACCOUNTS.find((each) => each === wanted) ?? ''
  const params = { id: investor._id }
  const { data, reload, ...more } = usePages(listInvestorEntries, { account }, params)
  const saving = useAction(async () => {
    const file = await callBlob(listInvestorEntries, { params, query: { format: 'csv' }, quiet: false })
    saveFile(`entries-${investor._id}.csv`, file)
  })
  return (
    <Panel
      title="Ledger"
      actions={
        <Button size="small" busy={saving.busy} onClick={saving.start}>
          Save all as a file
        </Button>
      }
    >
      <StatusFilter
        label="Which account’s entries to show"
        filters={[
          { value: '', label: 'All' },
          ...BOOK_ACCOUNTS.map((value) => ({ value, label: ACCOUNT_WORDS[value] })),
        ]}
        value={account}
        onChange={narrow}
      />
      <Table
        caption={account === '' ? 'Ledger entries' : `Entries of the account ${ACCOUNT_WORDS[account]}`}
        columns={COLUMNS}
        data={usePreviousRows(data)}
        rowKey={({ _id }) => _id}
        emptyText={account === '' ? 'Nothing was ever posted.' : 'Nothing was posted to this account.'}
        onRetry={reload}
        footer={<Pagination {...more} />}
      />
      <p className="small soft">That the file was saved is recorded on the audit log.</p>
    </Panel>
  )
}

const COLUMNS: readonly Column<OperatorEntry>[] = [
  {
    key: 'entry',
    header: 'Entry',
    lines: 2,
    cell: (entry) => (
      <>
        {ENTRY_WORDS[entry.code]}
        <span className={styles.cause}>
          <Cause entry={entry} />
        </span>
      </>
    ),
  },
  { key: 'moved', header: 'Moved', cell: ({ from, to }) => `${accountWord(from)} → ${accountWord(to)}` },
  { key: 'by', header: 'Posted by', cell: ({ by }) => by ?? 'The system' },
  { key: 'at', header: 'When', cell: ({ at }) => <DateTime at={at} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
]

function Cause({ entry }: { entry: OperatorEntry }) {
  const { cause, causeId, ref, reason } = entry
  if (cause === 'referral') return 'For somebody invited'
  return (
    <>
      <a href={caseHref(cause, causeId)}>{ref ?? 'The proposal'}</a>
      {reason !== null && `: ${reason}`}
    </>
  )
}

function accountWord(kind: string): string {
  return Object.hasOwn(ACCOUNT_WORDS, kind) ? ACCOUNT_WORDS[kind as keyof typeof ACCOUNT_WORDS] : kind
}
