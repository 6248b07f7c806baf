import { listInvestors, type OperatorInvestor } from '../../../contract/console/investors.ts'
import { Pagination } from '../../../design/Pagination.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Table, type TableProps } from '../../../design/Table.tsx'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { urlWith } from '../../lib/url.ts'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { AccountStatus } from './AccountStatus.tsx'
import { InvestorSearch } from './InvestorSearch.tsx'
import { identityWord } from './identityWord.ts'
import { useSearch } from './useSearch.ts'

/** Everybody, or whom the search finds; each row leads to the investor's page. */
export function InvestorList() {
  const search = useSearch()
  const { data, reload, ...more } = usePages(listInvestors, search.asked)
  return (
    <>
      <InvestorSearch search={search} />
      <ListView
        data={usePreviousRows(data)}
        onRetry={reload}
        hrefOf={({ _id }) => urlWith(location.href, { open: _id })}
        footer={<Pagination {...more} />}
        emptyText={
          search.isNarrowed
            ? 'Nobody is found by that. Try another part of the name, the e-mail address, a phone number or a reference.'
            : 'Nobody has registered yet.'
        }
      />
    </>
  )
}

type ViewProps = Pick<TableProps<OperatorInvestor>, 'data' | 'onRetry' | 'hrefOf' | 'footer'> & {
  emptyText?: string
}

export function ListView({ emptyText = '', ...props }: ViewProps) {
  return (
    <Panel>
      <Table
        {...props}
        caption="Investors"
        columns={columns}
        rowKey={({ _id }) => _id}
        emptyText={emptyText}
      />
    </Panel>
  )
}

const columns: TableProps<OperatorInvestor>['columns'] = [
  {
    key: 'investor',
    header: 'Investor',
    lines: 2,
    cell: ({ name, email }) => <Person name={name} email={email} />,
  },
  { key: 'country', header: 'Country', cell: ({ country }) => country },
  { key: 'phone', header: 'Phone', cell: ({ phone }) => <OneLine>{phone}</OneLine> },
  {
    key: 'verified',
    header: 'E-mail',
    cell: ({ emailVerified }) => (emailVerified ? 'Verified' : 'Not verified'),
  },
  { key: 'kyc', header: 'Identity', cell: ({ kyc }) => identityWord(kyc) },
  { key: 'account', header: 'Account', cell: (investor) => <AccountStatus {...investor} /> },
]
