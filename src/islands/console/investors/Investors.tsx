import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  ACCOUNT_STATUSES,
  IDENTITY_STATUSES,
  listInvestors,
  type OperatorInvestor,
} from '../../../contract/console/investors.ts'
import { CheckboxField, TextField } from '../../../design/Field.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Pagination, Table, type TableProps } from '../../../design/Table.tsx'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { setSearchParams, withSearchParams } from '../../lib/url.ts'
import { toCapitalised } from '../../money/transactions/words.ts'
import { NoWrap, Person } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { useShortcuts } from '../cases/shortcuts.tsx'
import { useAddress, usePrivateAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { useRowFocus } from '../cases/useRowFocus.ts'
import { AccountStatus } from './AccountStatus.tsx'
import { CarfReport } from './CarfReport.tsx'
import { InvestorPage } from './InvestorPage.tsx'
import styles from './Investors.module.css'
import { describeIdentity } from './words.ts'

/** /operator/investors: search; with `?open=<id>`, the page of that investor. */
export function Investors() {
  return (
    <OperatorScreen waiting={<ListView data={{ state: 'loading' }} emptyText="" />}>
      {InvestorsScreen}
    </OperatorScreen>
  )
}

function InvestorsScreen() {
  const [openId] = useAddress('open', '')
  if (openId === '') return <InvestorList />
  return <InvestorPage key={openId} id={openId} />
}

function InvestorList() {
  const search = useSearch()
  const { can } = useOperator()
  const { data, reload, ...more } = usePages(listInvestors, search.filters)
  const list = useRef<HTMLDivElement>(null)
  const rows = useRowFocus(list, '')
  useShortcuts(
    {
      j: () => rows.move(1),
      k: () => rows.move(-1),
      o: rows.open,
      f: () => list.current?.querySelector<HTMLElement>('[type=search]')?.focus(),
    },
    list,
    'list',
  )
  return (
    <div ref={list} className="stack">
      <InvestorSearch search={search} />
      {can('operator:reports.export') && <CarfReport />}
      <ListView
        data={usePreviousRows(data)}
        onRetry={reload}
        hrefOf={({ _id }) => withSearchParams(location.href, { open: _id })}
        footer={<Pagination {...more} />}
        emptyText={
          search.isNarrowed
            ? 'No investor found. Try another part of the name, the e-mail address, the phone number or a reference.'
            : 'No investor has registered yet.'
        }
      />
    </div>
  )
}

function ListView(props: Omit<TableProps<OperatorInvestor>, 'caption' | 'columns' | 'rowKey'>) {
  return (
    <Panel>
      <Table {...props} caption="Investors" columns={columns} rowKey={({ _id }) => _id} />
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
  { key: 'phone', header: 'Phone', cell: ({ phone }) => <NoWrap>{phone}</NoWrap> },
  {
    key: 'verified',
    header: 'E-mail',
    cell: ({ emailVerified }) => (emailVerified ? 'Verified' : 'Not verified'),
  },
  { key: 'kyc', header: 'Identity', cell: ({ kyc }) => describeIdentity(kyc) },
  { key: 'account', header: 'Account', cell: (investor) => <AccountStatus {...investor} /> },
]

function InvestorSearch({ search }: { search: ReturnType<typeof useSearch> }) {
  const { text, account, kyc, isAnywhere, narrow } = search
  return (
    <search className={styles.search}>
      <form
        className={styles.words}
        onSubmit={(event) => {
          event.preventDefault()
          search.find()
        }}
      >
        <TextField
          label="Find an investor"
          hint="The beginning of a name, e-mail address or phone number, or a whole reference or transaction id."
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          value={text}
          onChange={({ target }) => search.type(target.value)}
        />
        <CheckboxField
          label="Search inside words too, among the newest 10,000"
          checked={isAnywhere}
          onChange={({ target }) => narrow({ anywhere: target.checked ? 'true' : '' })}
        />
      </form>
      <SelectField
        label="Account"
        value={account}
        placeholder="Any account"
        options={ACCOUNT_STATUSES.map((value) => ({
          value,
          label: toCapitalised(value),
        }))}
        onChange={({ target }) => narrow({ account: target.value })}
      />
      <SelectField
        label="Identity"
        value={kyc}
        placeholder="Any identity"
        options={IDENTITY_STATUSES.map((value) => ({ value, label: describeIdentity(value) }))}
        onChange={({ target }) => narrow({ kyc: target.value })}
      />
    </search>
  )
}

const DEBOUNCE_MS = 300

/** The search, stored in the URL. It runs shortly after the last key, or at once on Enter. */
function useSearch() {
  const [query, setQuery] = usePrivateAddress('query')
  const [anywhere] = useAddress('anywhere', '')
  const [account] = useAddress('account', '')
  const [kyc] = useAddress('kyc', '')
  const [text, setText] = useState(query)
  const [lastQuery, setLastQuery] = useState(query)
  // The back button changes the URL: the field follows.
  if (lastQuery !== query) {
    setLastQuery(query)
    setText(query)
  }
  const typed = text.trim()
  const find = () => {
    setLastQuery(typed)
    setQuery(typed)
  }
  const findLater = useEffectEvent(find)
  useEffect(() => {
    if (typed === query) return
    const timer = setTimeout(() => findLater(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, query])
  const filters = {
    query,
    anywhere: anywhere === 'true' ? ('true' as const) : ('' as const),
    account: ACCOUNT_STATUSES.find((status) => status === account) ?? ('' as const),
    kyc: IDENTITY_STATUSES.find((status) => status === kyc) ?? ('' as const),
  }
  return {
    text,
    type: setText,
    find,
    isAnywhere: filters.anywhere === 'true',
    account: filters.account,
    kyc: filters.kyc,
    narrow: (changes: Partial<Record<'anywhere' | 'account' | 'kyc', string>>) =>
      setSearchParams(
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value || null])),
      ),
    isNarrowed: query !== '' || filters.account !== '' || filters.kyc !== '',
    filters,
  }
}
