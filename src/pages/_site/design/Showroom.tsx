import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Copied } from '../../../design/Copied.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { Crash } from '../../../design/Crash.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Grouped } from '../../../design/Grouped.tsx'
import { Loading } from '../../../design/Loading.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { RiskLine } from '../../../design/RiskLine.tsx'
import { Status } from '../../../design/Status.tsx'
import { Tabs } from '../../../design/Tabs.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { Timeline } from '../../../design/Timeline.tsx'
import { toast } from '../../../design/toasts.ts'
import { Charts } from './Charts.tsx'
import { FieldStates } from './FieldStates.tsx'
import { TableStates } from './TableStates.tsx'
import { Waiting } from './Waiting.tsx'

/** Every primitive in every state, on one page, for the eye and for the accessibility tests. All of it is sample content. */
export function Showroom() {
  return (
    <div className="stack">
      <Buttons />
      <Figures />
      <FieldStates />
      <TableStates />
      <Charts />
      <Words />
      <Waiting />
      <Overlays />
    </div>
  )
}

function Buttons() {
  return (
    <Panel title="Buttons">
      <div className="row">
        <Button variant="primary">Send Deposit Request</Button>
        <Button>Cancel</Button>
        <Button variant="quiet">Not now</Button>
        <Button variant="danger">Reject</Button>
        <ButtonLink href="/">A link</ButtonLink>
      </div>
      <div className="row">
        <Button variant="primary" busy>
          Sending
        </Button>
        <Button busy>Loading</Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <Button disabled>Disabled</Button>
      </div>
      <div className="row">
        <Button variant="primary" size="small">
          Small
        </Button>
        <Button size="small">Small</Button>
        <Button variant="primary" size="large">
          Large
        </Button>
        <CopyButton text="sample" what="wallet address" />
      </div>
    </Panel>
  )
}

function Figures() {
  return (
    <>
      <Tiles>
        <Tile label="Total Balance" amount={7162.36} hint="profits + deposits + bonus − withdrawals" />
        <Tile label="Total Deposits" amount={7500} hint="all that was credited" />
        <Tile label="Pending Deposits" amount={1_234_567_890.12} hint="waiting for an operator" />
        <Tile label="Total Withdrawals" amount={0} hint="all that was paid out" />
        <Tile label="Profit" amount={-3.1} hint="may be negative" />
        <Tile label="Still loading" hint="a skeleton of the same size" />
      </Tiles>
      <Panel title="Money and status">
        <div className="row">
          <Money value={412.36} sign="always" tone="result" />
          <Money value={-38.2} tone="result" />
          <Money value={0} />
        </div>
        <div className="row">
          {['pending', 'approved', 'completed', 'rejected', 'cancelled', 'reversed', 'frozen', 'other'].map(
            (status) => (
              <Status key={status} status={status} />
            ),
          )}
        </div>
      </Panel>
    </>
  )
}

// Holds nothing: squares that look like one.
const SAMPLE_PICTURE =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1zM5 1h1v2h2v1H6v2h1v2H5V5H1v1h2v2H1v-1h1V6h2v2"/></svg>'

function Words() {
  return (
    <>
      <Panel title="Notices">
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
            { label: 'Reference', value: 'DEP-7K2M9Q' },
            { label: 'Amount', value: <Money value={1500} /> },
            { label: 'Address', value: <code>tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx</code> },
          ]}
        />
        <p>
          <Grouped text="0xc15996D5a76b61217367d24A42c81558fA64Be81" />
        </p>
        <QrCode src={SAMPLE_PICTURE} alt="Sample of a QR code" size={144}>
          <p className="small soft">Wallet address</p>
          <Copied text="tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" what="sample address" grouped />
        </QrCode>
        <Timeline
          entries={[
            { at: '2026-01-31T09:30:00.000Z', status: 'pending' },
            { at: '2026-01-31T11:02:00.000Z', status: 'approved', note: 'Paid within the day.' },
            { at: '2026-02-01T08:12:00.000Z', status: 'completed' },
          ]}
        />
      </Panel>
      <Panel title="Nothing, waiting, broken">
        <EmptyState
          title="You currently do not have any transaction history"
          action={<Button>Deposit</Button>}
        >
          A deposit shows here from the moment it is requested.
        </EmptyState>
        <Loading label="Verifying your e-mail address" />
        <Crash message="A sample of what a crash says." />
      </Panel>
    </>
  )
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
          { id: 'notifications', label: 'Notifications', panel: <p>The third panel.</p> },
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
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <ButtonLink href="/dashboard/transaction-history" variant="primary">
              Transaction History
            </ButtonLink>
          </>
        }
      >
        <p>Your request awaits approval. You will find it in your transaction history.</p>
      </Modal>
    </Panel>
  )
}
