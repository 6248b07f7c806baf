import { listInvestors, type OperatorInvestor } from '../../contract/operator/investors.ts'
import { Modal } from '../../design/Modal.tsx'
import { Pagination } from '../../design/Pagination.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Table, type TableProps } from '../../design/Table.tsx'
import { usePages } from '../lib/pages.ts'
import { Fetched } from '../operator/Fetched.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Person } from '../operator/Person.tsx'
import { useAddress } from '../operator/useAddress.ts'
import { useDecided } from '../operator/useDecided.ts'
import { useSettings } from '../operator/useSettings.ts'
import { AccountStatus } from './AccountStatus.tsx'
import { InvestorSearch } from './InvestorSearch.tsx'
import { identityWord } from './identityWord.ts'

/** /operator/investors: find somebody, see their figures, freeze, unfreeze or notify them. */
export function Investors() {
  return <OperatorScreen waiting={<View data={{ state: 'loading' }} />}>{Found}</OperatorScreen>
}

function Found() {
  const [query, find] = useAddress('query', '')
  const [openId, setOpen] = useAddress('open', '')
  const { data, reload, ...more } = usePages(listInvestors, { query })
  const changed = useDecided(data, query)
  const settings = useSettings()
  const opened =
    changed.data.state === 'ready' ? changed.data.rows.find(({ _id }) => _id === openId) : undefined
  return (
    <>
      <InvestorSearch query={query} onFind={find} />
      <View
        data={changed.data}
        onRetry={reload}
        onOpen={({ _id }) => setOpen(_id)}
        footer={<Pagination {...more} />}
      />
      <Modal open={openId !== ''} onClose={() => setOpen('')} title={opened?.name ?? 'Investor'} size="large">
        <Fetched what="investor" load={() => import('./InvestorCase.tsx')}>
          {({ InvestorCase }) => (
            <InvestorCase
              key={openId}
              id={openId}
              listed={opened}
              settings={settings.state === 'ready' ? settings.data : null}
              onChanged={changed.put}
            />
          )}
        </Fetched>
      </Modal>
    </>
  )
}

function View(props: Pick<TableProps<OperatorInvestor>, 'data' | 'onRetry' | 'onOpen' | 'footer'>) {
  return (
    <Panel>
      <Table
        {...props}
        caption="Investors"
        columns={columns}
        rowKey={({ _id }) => _id}
        emptyText="Nobody is found by that. Try another part of the name, the e-mail address or a reference."
      />
    </Panel>
  )
}

const columns: TableProps<OperatorInvestor>['columns'] = [
  { key: 'investor', header: 'Investor', cell: ({ name, email }) => <Person name={name} email={email} /> },
  { key: 'country', header: 'Country', cell: ({ country }) => country },
  {
    key: 'verified',
    header: 'E-mail',
    cell: ({ emailVerified }) => (emailVerified ? 'Verified' : 'Not verified'),
  },
  { key: 'kyc', header: 'Identity', cell: ({ kyc }) => identityWord(kyc) },
  { key: 'account', header: 'Account', cell: (investor) => <AccountStatus {...investor} /> },
]
