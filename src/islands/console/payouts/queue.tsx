import { lazy, Suspense } from 'react'
import { CHAIN_LABELS, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import {
  cancelPayout,
  getPayout,
  listPayouts,
  type OperatorPayout,
  type PayoutKey,
  type PayoutRow,
} from '../../../contract/console/payouts.ts'
import { isolate } from '../../../contract/isolate.ts'
import { getCoinOfNetwork } from '../../../contract/money/coins.ts'
import { formatUsd } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Progress } from '../../../design/Progress.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { CaseLoading, type OutcomeWords } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import styles from '../cases/cases.module.css'
import {
  amountColumn,
  buildStatusColumn,
  KeyHolderName,
  NoWrap,
  Person,
  whenColumn,
} from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import own from './Payouts.module.css'
import { ReleasePayout } from './ReleasePayout.tsx'
import { ReplacePayout } from './ReplacePayout.tsx'
import { describePayoutStatus, FILTERS, formatNetworkFee } from './words.ts'

// Brings the code of QR codes.
const ToSign = lazy(async () => ({ default: (await import('./ToSign.tsx')).ToSign }))

export function PayoutQueue() {
  return <QueueScreen kind={payouts} />
}

/** A row of the list has only some facts of its payout. */
type ListedPayout = PayoutRow | OperatorPayout

/** /operator/payouts: transactions that pay approved withdrawals on proved networks. */
const payouts: QueueKind<ListedPayout> = {
  endpoint: listPayouts,
  plural: 'payouts',
  singular: 'payout',
  title: 'All payouts',
  filters: FILTERS,
  columns: [
    {
      key: 'chain',
      header: 'Chain',
      narrow: 'line',
      cell: ({ chain, withdrawals }) => (
        <>
          <span>{CHAIN_LABELS[chain]}</span>
          <div className="soft small">
            {withdrawals === 1 ? '1 withdrawal' : `${withdrawals} withdrawals`}
          </div>
        </>
      ),
    },
    amountColumn,
    { key: 'words', header: 'Progress', narrow: 'line', usually: 'long', cell: ({ words }) => words },
    whenColumn,
    buildStatusColumn((payout) => <Status {...describePayoutStatus(payout)} />),
  ],
  emptyText: 'No payouts. Build one from approved withdrawals of a proved network.',
  create: {
    label: 'Build a payout',
    scope: 'operator:withdrawals.decide',
    variant: 'primary',
    form: lazy(async () => ({ default: (await import('./BuildPayout.tsx')).BuildPayout })),
  },
  titleOf: () => 'Payout',
  load: (id) => call(getPayout, { params: { id } }),
  isWide: true,
  goesOn: true,
  details: (payout) =>
    'items' in payout ? <PayoutDetails payout={payout} /> : <CaseLoading what="payout" />,
  decisions: (payout) => ('items' in payout ? listPayoutDecisions(payout) : []),
  outcomeOf: (payout) => describePayoutOutcome(payout as OperatorPayout),
}

/** One payout: its withdrawals, the transaction to sign, and its progress. */
function PayoutDetails({ payout }: { payout: OperatorPayout }) {
  const { state, problem, words, confirmations, needed, signatures } = payout
  return (
    <>
      {problem !== null ? (
        <Notice tone="danger" title="Look at this payout">
          {words}
        </Notice>
      ) : state === 'released' ? (
        <Progress progress={Math.min(1, confirmations / needed)} what="Confirmations" words={words} />
      ) : (
        <p>{words}</p>
      )}
      <Facts facts={listPayoutFacts(payout)} />
      <Items payout={payout} />
      <Outputs payout={payout} />
      <Keys payout={payout} />
      {payout.unsigned !== null && needsMore(payout) && (
        <section className={styles.part} aria-labelledby="sign">
          <h3 id="sign">
            {signatures.have === 0
              ? 'Sign it'
              : `Sign it again: ${signatures.have} of ${signatures.need} signatures`}
          </h3>
          <p>
            Before signing, compare the receivers, quantities and fee on the hardware’s screen with this page,
            because somebody could have changed the file. We send a signed transaction only if it matches the
            one built here.
          </p>
          <Suspense fallback={<CaseLoading what="transaction" />}>
            <ToSign payout={payout} unsigned={payout.unsigned} />
          </Suspense>
        </section>
      )}
    </>
  )
}

function listPayoutDecisions(payout: OperatorPayout): QueueDecision<ListedPayout>[] {
  const { state, unsigned, block } = payout
  const scope = 'operator:withdrawals.decide'
  const decisions: QueueDecision<ListedPayout>[] = []
  if (needsMore(payout))
    decisions.push({
      label: 'Release it',
      key: 'a',
      scope,
      variant: 'primary',
      panel: (props) => <ReleasePayout {...props} row={payout} />,
    })
  if (state === 'released' && block === null && unsigned === null)
    decisions.push({
      key: 'f',
      label: 'Raise the fee',
      scope,
      panel: (props) => <ReplacePayout {...props} row={payout} />,
    })
  if (state === 'built')
    decisions.push({
      key: 'c',
      label: 'Cancel it',
      scope,
      panel: (props) => (
        <ConfirmOnly {...props} row={payout} endpoint={cancelPayout} confirmLabel="Cancel the payout">
          <p>
            Nothing was sent. Its withdrawals stay approved, and another payout can pay them. That payout
            spends the same coin or has the same nonce, so only one of the two can be mined. Delete the signed
            files of this one.
          </p>
        </ConfirmOnly>
      ),
    })
  return decisions
}

function describePayoutOutcome({
  state,
  txid,
  unsigned,
  signatures,
  versions,
}: OperatorPayout): OutcomeWords {
  if (state === 'cancelled')
    return {
      tone: 'success',
      title: 'Cancelled',
      text: 'Another payout can pay its withdrawals. It spends the same coin or has the same nonce.',
    }
  if (unsigned === null && txid !== null)
    return {
      tone: 'success',
      title: 'Released',
      text: `It matches what was built, and is being sent as ${txid}. The chain completes its withdrawals.`,
    }
  return signatures.have === 0
    ? {
        tone: 'success',
        title: 'A replacement is built',
        text: `It pays the same with a higher fee. Sign and release it. Until then, ${versions.length === 2 ? 'the first transaction' : 'the last one'} can still be confirmed.`,
      }
    : {
        tone: 'success',
        title: `${signatures.have} of ${signatures.need} signatures`,
        text: 'The signature is valid and stored. The holder of the next key signs the same transaction and hands it in from their own session.',
      }
}

function listPayoutFacts(payout: OperatorPayout) {
  const { txid, block, confirmations, needed, confirmedAt, replacedBy, signatures, versions } = payout
  return [
    { label: 'Status', value: <Status {...describePayoutStatus(payout)} /> },
    { label: 'Chain', value: CHAIN_LABELS[payout.chain] },
    { label: 'Pays', value: <Money value={payout.amount} /> },
    { label: 'Network fee', value: formatNetworkFee(payout) },
    {
      label: 'Signatures',
      value: `${signatures.have} of ${signatures.need}${needsMore(payout) ? `, ${signatures.need - signatures.have} more needed` : ''}`,
    },
    payout.missing.length > 0 && {
      label: 'Can sign',
      value: payout.missing.map(({ _id, name }) => <div key={_id}>{isolate(name)}</div>),
    },
    txid !== null && { label: 'Transaction', value: <Copied text={txid} what="transaction id" /> },
    block !== null && {
      label: 'Block',
      value: `${formatNumber(block.height)} (${block.hash}), ${confirmations} of ${needed} confirmations`,
    },
    replacedBy !== null && {
      label: 'Replaced by',
      value: <Copied text={replacedBy} what="id of the other transaction" />,
    },
    confirmedAt !== null && {
      label: replacedBy === null ? 'Confirmed' : 'Replaced',
      value: <DateTime at={confirmedAt} />,
    },
    ...(versions.length === 1
      ? []
      : versions.map((version) => ({
          label: version.version === 1 ? 'First transaction' : `Replacement ${version.version - 1}`,
          value: `${formatNetworkFee({ chain: payout.chain, fee: version.fee })}, by ${isolate(version.builtBy.name)}${version.txid === null ? ', not sent' : `, ${version.txid}`}`,
        }))),
  ]
}

/** Whether its newest version waits for signatures. */
function needsMore({ state, unsigned }: OperatorPayout): boolean {
  return unsigned !== null && (state === 'built' || state === 'released')
}

/** The keys of the wallet: whose they are, and which of them signed. */
function Keys({ payout }: { payout: OperatorPayout }) {
  const { keys } = payout
  if (keys.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="keys">
      <h3 id="keys">Keys of the wallet</h3>
      <Table
        caption="Keys of the wallet"
        columns={listKeyColumns(needsMore(payout))}
        data={{ state: 'ready', rows: keys }}
        rowKey={({ key }) => String(key)}
        emptyText="It has no keys."
      />
    </section>
  )
}

function listKeyColumns(isOpen: boolean): readonly Column<PayoutKey>[] {
  return [
    {
      key: 'key',
      header: 'Key',
      narrow: 'line',
      cell: ({ keyName, address }) => (
        <>
          <code translate="no" className={own.address}>
            {keyName}
          </code>
          {keyName !== address && (
            <div className="soft small">
              <code translate="no" className={own.address}>
                {address}
              </code>
            </div>
          )}
        </>
      ),
    },
    {
      key: 'holder',
      header: 'Person',
      narrow: 'start',
      cell: ({ holder }) => <KeyHolderName holder={holder} />,
    },
    {
      key: 'signed',
      header: 'Signature',
      narrow: 'end',
      cell: ({ signed, holder }) =>
        signed === null ? (
          <Status {...(isOpen ? { status: 'pending', label: 'Missing' } : { status: 'none' })} />
        ) : (
          <>
            <Status status="completed" label="Signed" />
            <div className="soft small">
              <TableDate at={signed.at} />
              {holder?._id !== signed.by._id && (
                <span>
                  {' '}
                  by <bdi>{signed.by.name}</bdi>
                </span>
              )}
            </div>
          </>
        ),
    },
  ]
}

type Item = OperatorPayout['items'][number]

const columns: readonly Column<Item>[] = [
  {
    key: 'ref',
    header: 'Withdrawal',
    narrow: 'start',
    cell: ({ _id, ref }) => (
      <a href={`/operator/withdrawals?status=&open=${_id}`}>
        <NoWrap>
          <span translate="no">{ref}</span>
        </NoWrap>
      </a>
    ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    narrow: 'end',
    cell: ({ quantity, network, amount }) => (
      <>
        <NoWrap>{`${quantity} ${getCoinSymbol(getCoinOfNetwork(network))}`}</NoWrap>
        <div className="soft small">{formatUsd(amount)}</div>
      </>
    ),
  },
  { key: 'investor', header: 'Investor', narrow: 'line', cell: ({ investor }) => <Person {...investor} /> },
  {
    key: 'address',
    header: 'Address',
    narrow: 'line',
    cell: ({ address }) => (
      <code translate="no" className={own.address}>
        {address}
      </code>
    ),
  },
]

function Items({ payout: { items } }: { payout: OperatorPayout }) {
  return (
    <section className={styles.part} aria-labelledby="pays">
      <h3 id="pays">What it pays</h3>
      <Table
        caption="What it pays"
        columns={columns}
        data={{ state: 'ready', rows: items }}
        rowKey={({ _id }) => _id}
        emptyText="It pays nothing."
      />
    </section>
  )
}

/** The wallet’s side of the transaction: the coins it spends, and the change. On Ethereum, the hardware wallet's display. */
function Outputs({ payout: { coins, change, shown, chain } }: { payout: OperatorPayout }) {
  if (chain === 'ethereum' && shown === null) return null
  return (
    <section className={styles.part} aria-labelledby="outputs">
      <h3 id="outputs">{shown === null ? 'Coins and change' : 'What the hardware shows'}</h3>
      <Facts
        facts={
          shown === null
            ? [
                ...coins.map(({ coin, quantity }, place) => ({
                  label: coins.length === 1 ? 'Spends' : `Spends, ${place + 1}`,
                  value: (
                    <span>
                      {quantity} BTC, <code translate="no">{coin}</code>
                    </span>
                  ),
                })),
                {
                  label: 'Change',
                  value:
                    change === null ? (
                      'None: the coins fit exactly.'
                    ) : (
                      <span>
                        {change.quantity} BTC back to the wallet, <code translate="no">{change.address}</code>
                      </span>
                    ),
                },
              ]
            : [
                { label: 'From', value: <code translate="no">{shown.from}</code> },
                { label: 'To', value: <code translate="no">{shown.to}</code> },
                { label: 'Quantity', value: `${shown.amount} ${shown.symbol}` },
                shown.contract !== null && {
                  label: 'Contract of the token',
                  value: <code translate="no">{shown.contract}</code>,
                },
                { label: 'Nonce', value: String(shown.nonce) },
                { label: 'Network fee', value: `At most ${shown.maxNetworkFee} ETH` },
              ]
        }
      />
    </section>
  )
}
