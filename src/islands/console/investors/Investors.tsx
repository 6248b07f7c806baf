import { type ListedInvestor, listInvestors } from '../../../contract/console/investors.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Status } from '../../../design/Status.tsx'
import { withSearchParams } from '../../lib/url.ts'
import { buildStatusColumn, Person } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { QueueList } from '../cases/QueueScreen.tsx'
import { QueueView } from '../cases/QueueView.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { AccountStatus } from './AccountStatus.tsx'
import { CarfReport } from './CarfReport.tsx'
import { InvestorPage } from './InvestorPage.tsx'
import { describeIdentity } from './words.ts'

/** /operator/investors: the list; with `?open=<id>`, the page of that investor. */
export function Investors() {
  const waiting = (
    <>
      <Heading />
      <QueueView kind={investors} />
    </>
  )
  return <OperatorScreen waiting={waiting}>{InvestorsScreen}</OperatorScreen>
}

function Heading() {
  return (
    <PageHeading
      title="Investors"
      lead="Find an investor, read their file, add a note, send a notification or freeze the account. Each visit is recorded."
    />
  )
}

function InvestorsScreen() {
  const [openId] = useAddress('open', '')
  const { can } = useOperator()
  if (openId !== '') return <InvestorPage key={openId} id={openId} />
  return (
    <>
      <Heading />
      <QueueList kind={can('operator:investors.money') ? investors : withoutMoney} />
      {can('operator:reports.export') && <CarfReport />}
    </>
  )
}

const investors: QueueKind<ListedInvestor> = {
  endpoint: listInvestors,
  plural: 'investors',
  singular: 'investor',
  searchedBy: 'Name, e-mail, phone or reference',
  filters: [
    { value: '', label: 'All', query: { account: '' } },
    { value: 'active', label: 'Active', query: { account: 'active' } },
    { value: 'frozen', label: 'Frozen', query: { account: 'frozen' } },
    { value: 'locked', label: 'Locked', query: { account: 'locked' } },
    {
      value: 'unlocking',
      label: 'To unlock',
      query: { account: 'unlocking' },
      counted: ['lock_lift'],
    },
    { value: 'reported', label: 'Lost factor', query: { account: 'reported' } },
    { value: 'closed', label: 'Closed', query: { account: 'closed' } },
  ],
  orders: [
    ['newest', 'Newest first'],
    ['risk', 'Highest risk first'],
    ['balance', 'Highest balance first'],
    ['active', 'Last sign-in first'],
    ['oldest', 'Oldest first'],
  ],
  riskHeader: 'Highest risk',
  columns: [
    {
      key: 'investor',
      header: 'Investor',
      narrow: 'line',
      lines: 2,
      cell: ({ name, email }) => <Person name={name} email={email} />,
    },
    { key: 'country', header: 'Country', narrow: 'start', cell: ({ country }) => country },
    {
      key: 'balance',
      header: 'Total balance',
      narrow: 'end',
      align: 'end',
      cell: ({ totalBalance }) => <Money value={totalBalance ?? 0} />,
    },
    {
      key: 'kyc',
      header: 'Identity',
      narrow: 'start',
      label: true,
      cell: ({ kyc }) => describeIdentity(kyc),
    },
    {
      key: 'active',
      header: 'Last sign-in',
      narrow: 'start',
      label: true,
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? 'None in a month' : <TableDate at={lastSignInAt} show="date" />,
    },
    buildStatusColumn((investor) =>
      investor.isReported && !investor.frozen ? (
        <Status status="pending" label="Lost factor" />
      ) : (
        <AccountStatus {...investor} />
      ),
    ),
  ],
  titleOf: (investor) => investor?.name ?? 'Investor',
  nameOf: ({ name }) => isolate(name),
  hrefOf: ({ _id }) => withSearchParams(location.href, { open: _id }),
  details: () => null,
  note: (
    <p className="soft small">
      The highest risk is that of the account or of an open case. It is judged for accounts with a freeze, a
      lock, a report, a debt or a pending request, and for the newest 200. Balance and last sign-in are
      compared among the newest 10,000 accounts.
    </p>
  ),
}

/** For support. */
const withoutMoney: QueueKind<ListedInvestor> = {
  ...investors,
  without: ['risk', 'format'],
  filters: [
    { value: '', label: 'All', query: { account: '' } },
    ...(investors.filters ?? []).filter(({ value }) => value !== '' && value !== 'reported'),
  ],
  orders: (investors.orders ?? []).filter(([order]) => order !== 'risk' && order !== 'balance'),
  columns: investors.columns.filter(({ key }) => key !== 'balance'),
  note: null,
}
