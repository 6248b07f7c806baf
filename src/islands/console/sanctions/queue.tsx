import type { ReactNode } from 'react'
import {
  clearSanctionsHit,
  listSanctionsHits,
  type SanctionsHit,
} from '../../../contract/console/sanctions.ts'
import { isolate } from '../../../contract/isolate.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import type { OutcomeWords } from '../cases/Case.tsx'
import { buildAgeColumn, buildStatusColumn, investorColumn, listInvestorFacts } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { FreezeForm, SilentFreezeForm } from '../investors/FreezeForm.tsx'

export function SanctionsQueue() {
  return <QueueScreen kind={sanctions} />
}

const isOpen = ({ status }: SanctionsHit) => status === 'open'

/** /operator/sanctions: people who may be on the sanctions list. */
const sanctions: QueueKind<SanctionsHit> = {
  endpoint: listSanctionsHits,
  plural: 'hits',
  singular: 'hit',
  filters: [
    { value: 'open', label: 'Open', counted: ['sanctions_hit'] },
    { value: 'frozen', label: 'Frozen', waits: true },
    { value: 'cleared', label: 'Cleared' },
    { value: '', label: 'All' },
  ],
  workOf: (hit) => (isOpen(hit) ? 'sanctions_hit' : undefined),
  columns: [
    { ...investorColumn, narrow: 'line' },
    { key: 'entry', header: 'May be', narrow: 'start', cell: ({ entries }) => entries[0]?.name },
    buildAgeColumn(isOpen),
    buildStatusColumn(({ status }) => <Status status={status} />),
  ],
  isPending: isOpen,
  titleOf: (hit) =>
    hit
      ? `Possible hit on the sanctions list, ${isolate(hit.investor.name)}`
      : 'Possible hit on the sanctions list',
  nameOf: ({ investor }) => isolate(investor.name),
  evidence: (hit) => (
    <Table
      caption="The customer and the list"
      captionShown
      columns={IDENTITIES}
      data={{ state: 'ready', rows: listIdentities(hit) }}
      rowKey={({ of }) => of}
      emptyText=""
    />
  ),
  details: ({ investor, createdAt }) => (
    <Facts facts={[...listInvestorFacts(investor), { label: 'Found', value: <DateTime at={createdAt} /> }]} />
  ),
  investorOf: ({ investor }) => investor._id,
  decisions: listDecisions,
  outcomeOf: ({ investor }) => ({
    tone: 'success',
    title: 'Cleared',
    text: `The cases of ${isolate(investor.name)} can be decided again. Each of them shows your reason.`,
  }),
}

function listDecisions(hit: SanctionsHit): readonly QueueDecision<SanctionsHit>[] {
  const { investor } = hit
  const clear: QueueDecision<SanctionsHit> = {
    label: 'Clear the hit',
    key: 'a',
    scope: 'operator:sanctions.decide',
    panel: (props) => (
      <ReasonForm
        {...props}
        endpoint={clearSanctionsHit}
        body={{ entries: hit.entries.length }}
        label="Why it is another person"
        hint="Only operators read it. Compare date of birth, country and full name with the entry."
        consequence={`The identity of ${isolate(investor.name)} can be approved, and withdrawals can be paid. A changed or further entry opens a new hit.`}
        confirmLabel="Clear the hit"
        variant="primary"
        atOnce
      />
    ),
  }
  const freezeSilently: QueueDecision<SanctionsHit> = {
    label: 'Freeze silently',
    key: 's',
    scope: 'operator:investors.confidential',
    panel: ({ onDone, ...props }) => (
      <SilentFreezeForm
        {...props}
        investor={investor}
        onDecided={() => onDone(describeFreeze('The silent freeze stands. Nobody was told.'))}
      />
    ),
  }
  const freeze: QueueDecision<SanctionsHit> = {
    label: 'Freeze the account',
    key: 'f',
    scope: 'operator:investors.freeze',
    panel: ({ onDone, ...props }) => (
      <FreezeForm
        {...props}
        investor={investor}
        onDecided={() =>
          onDone(describeFreeze(`The account is frozen. ${isolate(investor.name)} has been told.`))
        }
      />
    ),
  }
  return isOpen(hit) ? [clear, freezeSilently, freeze] : hit.status === 'frozen' ? [clear] : []
}

/** The customer, or an entry of the list. */
interface Identity {
  of: string
  name: string
  born: ReactNode
  country: string
}

const IDENTITIES: readonly Column<Identity>[] = [
  { key: 'of', header: 'Who', cell: ({ of }) => of },
  { key: 'name', header: 'Name', cell: ({ name }) => <bdi translate="no">{name}</bdi> },
  { key: 'born', header: 'Born', cell: ({ born }) => born },
  { key: 'country', header: 'Country', cell: ({ country }) => country },
]

function listIdentities({ investor, documentName, bornOn, country, entries }: SanctionsHit): Identity[] {
  return [
    {
      of: 'Customer',
      name: documentName ?? investor.name,
      born: bornOn === null ? 'Not recorded' : <DateTime at={bornOn} show="date" timeZone="UTC" />,
      country,
    },
    ...entries.map(({ uid, name, programs, born, country = 'Not in the list' }) => ({
      of: `List, entry ${uid}${programs === '' ? '' : `, ${programs}`}`,
      name,
      born: born ?? 'Not in the list',
      country,
    })),
  ]
}

function describeFreeze(text: string): OutcomeWords {
  return {
    tone: 'success',
    title: 'Frozen',
    text: `${text} The hit is under “Frozen”, and still nothing is approved or paid.`,
  }
}
