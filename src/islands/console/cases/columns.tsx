import type { ReactNode } from 'react'
import type { KeyHolder } from '../../../contract/console/cases.ts'
import { findTokenStandard, formatCoinOnNetwork, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { FactorRecovery } from '../../../contract/console/factorRecoveries.ts'
import { CASE_REFERENCE } from '../../../contract/console/messages.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import type { Fact } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { getServerNow } from '../../lib/serverTime.ts'
import { CaseAge } from './CaseAge.tsx'
import styles from './cases.module.css'

/** Keeps a reference or a date on one line. */
export function NoWrap({ children }: { children: ReactNode }) {
  return <span className={styles.noWrap}>{children}</span>
}

/** A text in which the references of cases do not break after their hyphen. */
export function Unbroken({ text }: { text: string }) {
  let at = 0
  return text.split(REFERENCE).map((part) => {
    const key = at
    at += part.length
    return REFERENCE.test(part) ? (
      <span key={key} translate="no" className={styles.noWrap}>
        {part}
      </span>
    ) : (
      <span key={key}>{part}</span>
    )
  })
}

const REFERENCE = new RegExp(`(${CASE_REFERENCE.source})`)

/** A name with the e-mail address, to distinguish people of the same name. */
export function Person({ name, email }: { name: string; email: string }) {
  const host = email.lastIndexOf('@') + 1
  return (
    <span className={styles.person}>
      {name}
      <span translate="no" className={styles.email}>
        {email.slice(0, host)}
        <wbr />
        {email.slice(host)}
      </span>
    </span>
  )
}

/** A coin for tables, with its token standard on one line: "USDT, TRC-20". */
export function CoinBriefly({ type, network }: { type: string; network: string }) {
  const standard = findTokenStandard(network)
  if (standard === undefined) return <span>{formatCoinOnNetwork(type, network)}</span>
  return (
    <span>
      <span>{getCoinSymbol(type)}</span>, <NoWrap>{standard}</NoWrap>
    </span>
  )
}

/** A coin on its network, with the token standard on one line: "USDT on TRON (TRC-20)". */
export function CoinOnNetwork({ type, network }: { type: string; network: string }) {
  const [name, standard] = formatCoinOnNetwork(type, network).split(/ (?=\()/)
  return (
    <span>
      <span>{name}</span> {standard !== undefined && <NoWrap>{standard}</NoWrap>}
    </span>
  )
}

/** Who holds a key of a watch-only wallet. */
export function KeyHolderName({
  holder,
}: {
  holder: (Omit<KeyHolder, 'canSign'> & Partial<KeyHolder>) | null
}) {
  if (holder === null) return <span className="soft">Nobody yet</span>
  return (
    <>
      <bdi>{holder.name}</bdi>
      {holder.canSign === false && (
        <div>
          <Status status="rejected" label="Can no longer sign" />
        </div>
      )}
    </>
  )
}

/** An address that investors pay to. A simulated address is always marked, so that no one sends coins to it. */
export function ReceivingAddress({ address, simulated }: { address: string; simulated: boolean }) {
  return (
    <Copied text={address} what="receiving address" grouped>
      {simulated && <span className="soft small">Simulated. Send nothing.</span>}
    </Copied>
  )
}

export const refColumn: Column<{ ref: string }> = {
  key: 'ref',
  header: 'Reference',
  narrow: 'line',
  cell: ({ ref }) => (
    <NoWrap>
      <span translate="no">{ref}</span>
    </NoWrap>
  ),
}

export const investorColumn: Column<{ investor: { name: string; email: string } }> = {
  key: 'investor',
  header: 'Investor',
  narrow: 'start',
  cell: ({ investor }) => <Person {...investor} />,
}

export const amountColumn: Column<{ amount: number }> = {
  key: 'amount',
  header: 'Amount',
  narrow: 'end',
  align: 'end',
  cell: ({ amount }) => <Money value={amount} />,
}

export const whenColumn: Column<{ createdAt: string }> = {
  key: 'at',
  header: 'When',
  narrow: 'start',
  cell: ({ createdAt }) => <TableDate at={createdAt} />,
}

/** When a row came in, and the time left for its step: red once it is overdue. A row that no longer waits has only the date. */
export function buildAgeColumn<
  Row extends {
    createdAt: string
    waitsSince?: string | null | undefined
    dueAt?: string | null | undefined
  },
>(isWaiting: (row: Row) => boolean): Column<Row> {
  return {
    key: 'age',
    header: 'When',
    narrow: 'end',
    cell: (row) => (
      <>
        {isWaiting(row) && (
          <CaseAge
            createdAt={row.waitsSince ?? row.createdAt}
            dueAt={row.dueAt ?? null}
            nowMs={getServerNow()}
          />
        )}
        <div className={isWaiting(row) ? 'soft small' : undefined}>
          <TableDate at={row.createdAt} />
        </div>
      </>
    ),
  }
}

/** The status column of a queue. */
export function buildStatusColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { key: 'status', header: 'Status', narrow: 'end', cell }
}

/** A fact that says who did something, and when. */
export function buildActorFact(label: string, by: { name: string } | null, at: string): Fact {
  return {
    label,
    value: (
      <span>
        <span>{by === null ? 'Not recorded by whom' : by.name}</span>, <DateTime at={at} />
      </span>
    ),
  }
}

/** The first facts of a case about an investor. */
export function listInvestorFacts({ name, email }: { name: string; email: string }) {
  return [
    { label: 'Investor', value: name },
    { label: 'E-mail', value: email },
  ]
}

/** What is compared with the person who lost a second factor: the phone number on file, and the approved document. */
export function listIdentityChecks({ phone, document }: Pick<FactorRecovery, 'phone' | 'document'>): Fact[] {
  return [
    { label: 'Phone', value: phone === '' ? 'None on file' : phone },
    {
      label: 'Identity document',
      value:
        document === null ? (
          'No approved document'
        ) : (
          <a href={`/operator/kyc?status=approved&open=${document._id}`}>
            <span translate="no" className={styles.noWrap}>
              {document.ref}
            </span>
          </a>
        ),
    },
  ]
}
