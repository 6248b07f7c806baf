import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { Copied, CopyButton, Grouped } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { Crash, ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { CheckboxField, CodeField, PhoneNumberField, TextArea, TextField } from '../../../design/Field.tsx'
import { FileInput, type FileState } from '../../../design/FileInput.tsx'
import { Form } from '../../../design/Form.tsx'
import { InfoButton } from '../../../design/InfoButton.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { Logo } from '../../../design/Logo.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money, OwnAmount, OwnAmounts } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { Switch } from '../../../design/Switch.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { Tabs } from '../../../design/Tabs.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { Timeline } from '../../../design/Timeline.tsx'
import { toast } from '../../../design/toasts.ts'
import { WithAside } from '../../../design/WithAside.tsx'
import { Chart } from '../../../islands/investing/chart/Chart.tsx'
import { type ChartCourse, computeFalls } from '../../../islands/investing/chart/chartCourse.ts'
import { RiskLine } from '../../../islands/investing/RiskLine.tsx'
import { site } from '../../../site.ts'
import { DAY_MS } from '../../../time.ts'

/** Every React primitive in the states that accessibility depends on. All content is a sample. */
export function Showroom() {
  return (
    <div className="stack">
      <Buttons />
      <Figures />
      <Fields />
      <Tables />
      <Messages />
      <Overlays />
    </div>
  )
}

function Buttons() {
  return (
    <Panel title="Buttons">
      <div className="row">
        {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
          <Button key={variant} variant={variant}>
            Send
          </Button>
        ))}
        <Button variant="primary" busy>
          Sending
        </Button>
        <Button disabled>Disabled</Button>
        <Button size="small">Small</Button>
        <Button size="large">Large</Button>
        <ButtonLink href="/">A link</ButtonLink>
        <CopyButton text="sample" what="wallet address" />
        <Logo name={site.brand} />
        <Logo name={null} />
      </div>
    </Panel>
  )
}

const STATUSES = ['pending', 'approved', 'completed', 'rejected', 'cancelled', 'reversed', 'frozen', 'other']

function makeSampleCourse(days: number): ChartCourse {
  const start = Date.UTC(2024, 0, 1)
  const worth = Array.from({ length: days }, (_, day) => 1000 * (1 + 0.25 * Math.sin(day / 90) + day / 2500))
  return {
    label: 'Sample strategy',
    days: worth.map((_, day) => new Date(start + day * DAY_MS).toISOString().slice(0, 10)),
    worth,
    falls: computeFalls(worth, 1000),
    beside: [{ label: 'Expected at least', worth: worth.map((_, day) => (day < 30 ? null : 800)) }],
    ...(days > 400 && { heldOutFrom: '2025-01-01' }),
  }
}

const COURSES = [900, 12, 1].map(makeSampleCourse)

function Figures() {
  return (
    <>
      <Tiles>
        <Tile label="Total Balance" amount={7162.36} hint="profits + deposits + bonus − withdrawals" />
        <Tile label="Pending Deposits" amount={1_234_567_890.12} hint="waiting for an operator" />
        <Tile label="Profit" amount={-3.1} hint="may be negative" />
        <Tile label="Still loading" hint="a skeleton of the same size" />
      </Tiles>
      <Panel title="Money, status and charts">
        <div className="row">
          <Money value={412.36} sign="always" tone="result" />
          <Money value={-38.2} tone="result" />
          <Money value={0} />
          <OwnAmount>0.5 BTC</OwnAmount>
          <InfoButton label="How half a coin comes about" onClick={() => toast('Explained')} />
          {STATUSES.map((status) => (
            <Status key={status} status={status} />
          ))}
        </div>
        <p>
          <OwnAmounts text="A text may have amounts, too: $412.36." />
        </p>
        {COURSES.map((course) => (
          <Chart key={course.days.length} title={`A chart of ${course.days.length} days`} course={course} />
        ))}
      </Panel>
    </>
  )
}

const COINS = [
  { value: 'bitcoin', label: 'Bitcoin', hint: 'btc' },
  { value: 'usdt', label: 'USDT', hint: 'TRC-20, BSC or ERC-20' },
]
const FILE_RULES = {
  accept: ['image/png', 'image/jpeg'],
  described: 'PNG or JPEG, up to 8 MB',
  several: 'Please attach one picture only',
  problem: (file: File) => (file.type.startsWith('image/') ? null : 'Please choose a PNG or a JPEG'),
}
const FILE = new File(['sample'], 'receipt-of-a-very-long-transfer-2026-01-31.png', { type: 'image/png' })

function Fields() {
  return (
    <>
      <SampleForm title="Fields">
        <div className="pair">
          <TextField label="Full name" autoComplete="name" hint="As in your passport" />
          <PhoneNumberField label="Phone" optional autoComplete="tel" placeholder="+1 555 0100" />
        </div>
        <PasswordField label="Password" autoComplete="current-password" defaultValue="sample" />
        <SelectField
          label="Country"
          placeholder="Choose a country"
          options={[{ value: 'de', label: 'Germany (Deutschland)' }]}
        />
        <MoneyField label="Amount" defaultValue="1.500" />
        <RadioGroup label="Coin" name="coin" options={COINS} />
        <CodeField label="Code" hint="Six digits from your authenticator app" />
        <TextArea label="Message" />
        <CheckboxField label="I am 18 or older and accept the terms" />
        <FileField initial={{ state: 'empty' }} />
      </SampleForm>
      <SampleForm
        title="Fields in error"
        error="Nothing was sent: the server could not be reached. Try again."
      >
        <TextField label="Email" error="Provide a valid email" defaultValue="ada@" />
        <PasswordField label="New password" autoComplete="new-password" error="Password is required" />
        <SelectField
          label="Network"
          options={[]}
          placeholder="Choose a network"
          error="Network is required"
        />
        <MoneyField label="Withdrawal amount" unit="BTC" sign={null} error="Please input an amount" />
        <RadioGroup label="Method" name="method" options={COINS} error="Please choose a method" />
        <CheckboxField label="I accept the terms" error="Please accept the terms" />
        <TextField label="Disabled" disabled defaultValue="Not yours to change" />
        <FileField initial={{ state: 'chosen', file: FILE }} />
        <FileField initial={{ state: 'sending', file: FILE, progress: 0.62 }} />
        <FileField initial={{ state: 'refused', reason: 'Please attach one picture only' }} />
      </SampleForm>
      <Panel title="Switches">
        <Switch label="Keep an activity log" hint="Sign-ins and changes." checked />
        <Switch label="News and offers" checked={false} />
        <Switch label="Being saved" checked busy />
        <Switch label="Not yours to change" checked disabled />
        <Switch label="Tips" error="This could not be saved. It is off, as before." checked={false} />
      </Panel>
    </>
  )
}

function SampleForm(props: { title: string; error?: string; children: ReactNode }) {
  const { title, error = null, children } = props
  return (
    <Panel title={title}>
      <Form
        onSubmit={(event) => event.preventDefault()}
        pending={error !== null}
        formError={error}
        submitLabel="Send"
      >
        {children}
      </Form>
    </Panel>
  )
}

function FileField({ initial }: { initial: FileState }) {
  const [value, setValue] = useState(initial)
  return (
    <FileInput
      label="Receipt image"
      name={`receipt-${initial.state}`}
      value={value}
      onChange={setValue}
      rules={FILE_RULES}
    />
  )
}

interface Row {
  id: string
  details: string
  amount: number
  status: string
  at: string
}

const ROWS: readonly Row[] = [
  { id: '1', details: 'Bitcoin deposit', amount: 1500, status: 'pending', at: '2026-01-31T09:30:00.000Z' },
  { id: '2', details: 'Bank withdrawal', amount: 12_000, status: 'rejected', at: '2026-01-12T07:45:00.000Z' },
]

const COLUMNS: readonly Column<Row>[] = [
  { key: 'details', header: 'Details', narrow: 'start', cell: (row) => row.details },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: (row) => <Money value={row.amount} />,
  },
  { key: 'status', header: 'Status', narrow: 'short-start', cell: (row) => <Status status={row.status} /> },
  {
    key: 'at',
    header: 'Requested',
    narrow: 'wide-end',
    label: true,
    cell: (row) => <TableDate at={row.at} />,
  },
]

function Tables() {
  const shared = { rowKey: (row: Row) => row.id, emptyText: 'Nothing waits here.' }
  const plain = COLUMNS.slice(0, 3).map(({ narrow, ...column }) => column)
  return (
    <Panel title="Tables">
      <Table
        {...shared}
        caption="History"
        columns={plain}
        data={{ state: 'ready', rows: ROWS }}
        onOpen={(row) => toast(row.details)}
        footer={<Pagination hasMore pending={false} onMore={() => toast('One page more')} />}
      />
      <Table {...shared} caption="Shaped" columns={COLUMNS} data={{ state: 'ready', rows: ROWS }} />
      <Table {...shared} caption="Loading" columns={plain} data={{ state: 'loading' }} skeletonRows={3} />
      <Table {...shared} caption="Empty" columns={plain} data={{ state: 'ready', rows: [] }} />
      <Table
        {...shared}
        caption="Failed"
        columns={plain}
        data={{ state: 'failed', msg: 'The history could not be loaded.' }}
        onRetry={() => toast('Trying again')}
      />
    </Panel>
  )
}

// Looks like a QR code, but encodes no data.
const PICTURE =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1zM5 1h1v2h2v1H6v2h1v2H5V5H1v1h2v2H1v-1h1V6h2v2"/></svg>'

function Messages() {
  const [tries, setTries] = useState(1)
  return (
    <WithAside aside={<Panel title="Meanwhile">What is good to know stands beside the screen.</Panel>}>
      <Panel title="Notices">
        <PageHeading title="The heading of a screen" lead="And its lead." />
        <RiskLine />
        <Notice>Verification usually comes before the first deposit.</Notice>
        <Notice tone="caution" title="Simulated. Send nothing.">
          This address belongs to nobody.
        </Notice>
        <Notice tone="danger" actions={<Button size="small">Try again</Button>}>
          The server could not be reached.
        </Notice>
        <Notice tone="success" title="Email Verified. Congratulations!" />
      </Panel>
      <Panel title="A request">
        <Facts
          facts={[
            { label: 'Amount', value: <Money value={1500} /> },
            { label: 'Requested', value: <DateTime at="2026-01-31T09:30:00.000Z" /> },
          ]}
        />
        <Grouped text="0xc15996D5a76b61217367d24A42c81558fA64Be81" />
        <QrCode src={PICTURE} alt="Sample of a QR code" size={144}>
          <Copied text="tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" what="sample address" grouped />
        </QrCode>
        <Timeline
          entries={[
            { at: '2026-01-31T09:30:00.000Z', status: 'pending' },
            { at: '2026-01-31T11:02:00.000Z', status: 'approved', note: 'Paid within the day.' },
          ]}
        />
      </Panel>
      <Panel title="Empty, loading, failed">
        <EmptyState
          title="You currently do not have any transaction history"
          action={<Button>Deposit</Button>}
        >
          A deposit shows here from the moment it is requested.
        </EmptyState>
        <Loading label="Verifying your e-mail address" />
        {(['text', 'figure', 'control', 'block'] as const).map((height) => (
          <Skeleton key={height} height={height} />
        ))}
        <Progress progress={0.4} what="Unlocking" />
        <LoadFailure
          msg={`The wallets could not be loaded. Tried ${tries} times.`}
          onRetry={() => setTries(tries + 1)}
        />
        <Crash home="/" message="A sample of what a crash says." />
        <ErrorBoundary home="/design">
          <Crashing />
        </ErrorBoundary>
      </Panel>
    </WithAside>
  )
}

function Crashing() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('A sample of a crash, from the page of the design.')
  return <Button onClick={() => setBroken(true)}>Let this part crash</Button>
}

function Overlays() {
  const [open, setOpen] = useState(false)
  return (
    <Panel title="Tabs, dialog, toasts">
      <Tabs
        label="Profile"
        tabs={[
          { id: 'personal', label: 'Personal Information', panel: <p>The first panel.</p> },
          { id: 'security', label: 'Security Information', panel: <p>The second panel.</p> },
        ]}
      />
      <div className="row">
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
        <Button onClick={() => toast.success('Login Successful')}>Success toast</Button>
        <Button onClick={() => toast.error('The e-mail address or the password is wrong.')}>
          Error toast
        </Button>
        <Button onClick={() => toast.loading('Sending the receipt')}>Loading toast</Button>
        <Button onClick={() => toast('A blank toast')}>Blank toast</Button>
      </div>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title="Deposit Request Completed"
        actions={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <p>Your request awaits approval. You will find it in your transaction history.</p>
      </Modal>
    </Panel>
  )
}
