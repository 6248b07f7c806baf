import type { ReactNode } from 'react'
import type { ListEntry } from '../../../contract/console/cases.ts'
import { SHORTEST_EXPLANATION } from '../../../contract/console/risk.ts'
import {
  canCompareBirth,
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
    <div className="stack">
      {hit.entries.map((entry) => (
        <Table
          key={`${entry.uid} ${entry.name}`}
          caption={`Entry ${entry.uid}${entry.programs === '' ? '' : `, ${entry.programs}`}`}
          captionShown
          columns={COMPARISON}
          data={{ state: 'ready', rows: compareWith(hit, entry) }}
          rowKey={({ what }) => what}
          emptyText=""
        />
      ))}
    </div>
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
        hint={
          canCompareBirth(hit)
            ? 'Only operators read it. Compare date of birth, country and full name with the entry.'
            : `Only operators read it. The dates of birth cannot be compared, because one is not known. Say what else differs, in at least ${SHORTEST_EXPLANATION} characters.`
        }
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

/** A fact of the customer beside that of an entry. */
interface ComparedHit {
  what: string
  customer: ReactNode
  entry: ReactNode
}

// Three columns fit on a phone side by side.
const COMPARISON: readonly Column<ComparedHit>[] = [
  { key: 'what', header: 'What', cell: ({ what }) => what },
  { key: 'customer', header: 'Customer', cell: ({ customer }) => customer },
  { key: 'entry', header: 'List', cell: ({ entry }) => entry },
]

function compareWith(
  { investor, documentName, bornOn, country }: SanctionsHit,
  entry: ListEntry,
): ComparedHit[] {
  return [
    { what: 'Name', customer: <Name of={documentName ?? investor.name} />, entry: <Name of={entry.name} /> },
    {
      what: 'Born',
      customer: bornOn === null ? 'Not recorded' : <DateTime at={bornOn} show="date" timeZone="UTC" />,
      entry: entry.born ?? 'Not in the list',
    },
    { what: 'Country', customer: country, entry: entry.country ?? 'Not in the list' },
  ]
}

/** A name, or an address, which has no words. */
function Name({ of: name }: { of: string }) {
  return name.includes(' ') ? <bdi translate="no">{name}</bdi> : <code translate="no">{name}</code>
}

function describeFreeze(text: string): OutcomeWords {
  return {
    tone: 'success',
    title: 'Frozen',
    text: `${text} The hit is under “Frozen”, and still nothing is approved or paid.`,
  }
}
