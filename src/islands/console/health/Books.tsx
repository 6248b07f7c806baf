import { getCoinLabel, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { FoldPanel } from '../cases/Fold.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { computeCoverage, formatCoverage } from './coverage.ts'

interface BooksProps {
  /** Undefined while it loads. */
  overview: OperatorOverview | undefined
}

/** The daily ceilings, custody compared with liabilities, and the trial balance. */
export function Books({ overview }: BooksProps) {
  return (
    <>
      <Ceilings ceilings={overview?.ceilings} />
      <Custody overview={overview} />
      {overview?.places.some(({ place }) => place !== 'treasury') && <Places places={overview.places} />}
      <TrialBalance overview={overview} />
    </>
  )
}

type Ceilings = OperatorOverview['ceilings']

const CEILINGS = [
  { name: 'creditsAlone', what: 'Credited by you alone' },
  { name: 'payoutsAlone', what: 'Paid out by you alone' },
  { name: 'credits', what: 'Credited by all operators' },
  { name: 'payouts', what: 'Paid out by all operators' },
] as const satisfies readonly { name: keyof Ceilings; what: string }[]

function Ceilings({ ceilings }: { ceilings: Ceilings | undefined }) {
  return (
    <TablePanel
      title="Daily ceilings"
      caption="Credits and payouts of the last 24 hours"
      fold={{
        gist: ceilings && (
          <span>
            <Money value={ceilings.credits.used} /> credited and <Money value={ceilings.payouts.used} /> paid
            out in the last 24 hours.
          </span>
        ),
        isInOrder: CEILINGS.every(({ name }) => !ceilings || computeRemaining(ceilings[name]) > 0),
      }}
      columns={[
        { key: 'what', header: 'In the last 24 hours', narrow: 'line', cell: ({ what }) => what },
        {
          key: 'used',
          header: 'Used',
          align: 'end',
          narrow: 'start',
          label: true,
          cell: ({ used }) => <Money value={used} />,
        },
        {
          key: 'left',
          header: 'Left',
          align: 'end',
          narrow: 'end',
          label: true,
          cell: (row) => <Money value={computeRemaining(row)} />,
        },
      ]}
      rows={ceilings && CEILINGS.map((row) => ({ ...row, ...ceilings[row.name] }))}
      rowKey={({ name }) => name}
      emptyText="There are no ceilings."
      skeletonRows={4}
    />
  )
}

/** The unused part of a ceiling, in USD and exact to the cent. Zero if the ceiling was lowered below its use. */
function computeRemaining({ limit, used }: Ceilings[keyof Ceilings]): number {
  return Math.max(0, Math.round((limit - used) * 100) / 100)
}

/** Assets in custody at market prices, compared with what investors are owed. */
function Custody({ overview }: BooksProps) {
  const owedUsd = overview?.liabilities ?? 0
  const coverage = overview && computeCoverage(overview)
  return (
    <TablePanel
      title="Custody and liabilities"
      caption="Custody by asset"
      fold={{
        gist: coverage && (
          <span>
            Custody is <span>{formatCoverage(coverage.custodyUsd, owedUsd)}</span> of liabilities,{' '}
            <Money value={coverage.differenceUsd} sign="always" tone="result" />.
          </span>
        ),
        isInOrder: !coverage || (coverage.differenceUsd >= 0 && coverage.unpriced.length === 0),
      }}
      columns={[
        { key: 'asset', header: 'Asset', narrow: 'start', cell: ({ asset }) => getCoinLabel(asset) },
        {
          key: 'quantity',
          header: 'Quantity',
          align: 'end',
          narrow: 'end',
          cell: ({ asset, quantity }) => `${quantity} ${getCoinSymbol(asset)}`,
        },
        {
          key: 'value',
          header: 'Value now',
          align: 'end',
          narrow: 'start',
          label: true,
          cell: ({ valueUsd }) => (valueUsd === null ? 'No price' : <Money value={valueUsd} />),
        },
        {
          key: 'share',
          header: 'Share of liabilities',
          align: 'end',
          narrow: 'end',
          label: true,
          cell: ({ valueUsd }) => (valueUsd === null ? 'No price' : formatCoverage(valueUsd, owedUsd)),
        },
      ]}
      rows={overview?.custody}
      rowKey={({ asset }) => asset}
      emptyText="Custody is empty."
      skeletonRows={3}
    >
      {overview && (
        <>
          {coverage && <Coverage {...coverage} debts={overview.debts} />}
          <p className="small soft">
            Liabilities are what investors could claim in US dollars: available money, withdrawal holds,
            waiting orders, and units of strategies at their latest valuation. Investors’ debts are not
            subtracted. Each asset is compared with all liabilities. <Strategies {...overview.strategies} />
            <span>
              {' '}
              As of <DateTime at={overview.booksAt} />.
            </span>
          </p>
        </>
      )}
    </TablePanel>
  )
}

/** Custody by place, once something was moved to an exchange. */
function Places({ places }: Pick<OperatorOverview, 'places'>) {
  return (
    <TablePanel
      title="Where custody is"
      caption="Custody by place and asset"
      fold={{
        gist: new Intl.ListFormat('en-GB').format(new Set(places.map(({ name }) => name))),
        isInOrder: true,
      }}
      columns={[
        {
          key: 'place',
          header: 'Place',
          cell: ({ name, isSimulated }) => (isSimulated ? `${name} (simulated)` : name),
        },
        { key: 'asset', header: 'Asset', cell: ({ asset }) => getCoinLabel(asset) },
        {
          key: 'quantity',
          header: 'Custody',
          align: 'end',
          cell: ({ asset, quantity }) => `${quantity} ${getCoinSymbol(asset)}`,
        },
        {
          key: 'held',
          header: 'After trades',
          align: 'end',
          cell: ({ asset, held }) => `${held} ${getCoinSymbol(asset)}`,
        },
      ]}
      rows={places}
      rowKey={({ place, asset }) => `${place} ${asset}`}
      emptyText="Custody is empty."
      skeletonRows={3}
    >
      <p className="small soft">
        Two operators move custody between the treasury and an exchange. For each asset the places add up to
        custody. What strategies traded at an exchange since is in the last column.
      </p>
    </TablePanel>
  )
}

/** Debts of investors after reversed credits. Listed apart, because they cover no claim of another investor. */
function Debts({ amount, investors }: OperatorOverview['debts']) {
  if (amount === 0) return <Money value={0} />
  return (
    <span>
      <Money value={amount} /> (<span>{investors === 1 ? '1 investor' : `${investors} investors`}</span>)
    </span>
  )
}

/** Money in strategies stays in custody, and pools are counted separately. */
function Strategies({ paidIn, value }: OperatorOverview['strategies']) {
  if (paidIn === 0 && value === 0) return null
  return (
    <span>
      Investors paid <Money value={paidIn} /> of it into strategies. It counts at the current value of the
      pools, <Money value={value} />.
    </span>
  )
}

type CoverageProps = ReturnType<typeof computeCoverage> & Pick<OperatorOverview, 'debts'>

function Coverage({ custodyUsd, owedUsd, differenceUsd, unpriced, debts }: CoverageProps) {
  return (
    <>
      <Facts
        facts={[
          { label: 'Custody at market prices', value: <Money value={custodyUsd} /> },
          { label: 'Liabilities to investors', value: <Money value={owedUsd} /> },
          { label: 'Debts of investors', value: <Debts {...debts} /> },
          { label: 'Custody as a share of liabilities', value: formatCoverage(custodyUsd, owedUsd) },
          {
            label: 'Custody less liabilities',
            value: <Money value={differenceUsd} sign="always" tone="result" />,
          },
        ]}
      />
      {unpriced.length > 0 ? (
        <Notice tone="caution">
          There is no market price for {unpriced.map(getCoinLabel).join(', ')} now, so it is not counted.
        </Notice>
      ) : (
        differenceUsd < 0 && (
          <Notice tone="caution">
            At today’s prices, custody is worth less than liabilities. Either prices fell, or more was paid
            out than came in.
          </Notice>
        )
      )}
    </>
  )
}

function TrialBalance({ overview }: BooksProps) {
  const trialBalance = overview?.trialBalance
  return (
    <FoldPanel
      title="Trial balance of the ledger"
      gist={trialBalance && (trialBalance.balanced ? 'The books balance.' : 'The books do not balance.')}
      isInOrder={trialBalance?.balanced !== false}
    >
      {overview === undefined || trialBalance === undefined ? (
        <Skeleton width="full" height="block" />
      ) : (
        <>
          <Facts
            facts={[
              { label: 'Debits', value: <Money value={trialBalance.debits} /> },
              { label: 'Credits', value: <Money value={trialBalance.credits} /> },
            ]}
          />
          <p className="small soft">
            As of <DateTime at={overview.booksAt} />.
          </p>
          {trialBalance.balanced ? (
            <Notice tone="success">The books balance.</Notice>
          ) : (
            <Notice tone="danger" title="The books do not balance">
              Make no decision about money until you know the cause.
            </Notice>
          )}
        </>
      )}
    </FoldPanel>
  )
}
